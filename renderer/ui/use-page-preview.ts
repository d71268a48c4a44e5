import { computed, reactive, toRefs } from 'vue';
import { useDrawing } from './use-drawing.ts';

/** A page rendered by the server, and problems with individual fields. */
interface DrawnPage {
  readonly html: string;
  readonly problems: readonly { readonly field: string; readonly message: string }[];
}

interface Options<Draft> {
  /** The draft to render; undefined if there is none. */
  draft: () => Draft | undefined;
  draw: (draft: Draft, signal: AbortSignal) => Promise<DrawnPage>;
  /** Whether to render: false while the form is closed. */
  enabled: () => boolean;
}

/** The rendered page of a draft, updated whenever the draft changes. */
export function usePagePreview<Draft>({ draft, draw, enabled }: Options<Draft>) {
  const { drawn, failure, isDrawing } = toRefs(
    useDrawing({ draft: () => (enabled() ? draft() : undefined), draw }),
  );
  return reactive({
    /** The HTML document; undefined until the first rendering is available. */
    html: computed(() => drawn.value?.html),
    /** The problem with a field in the last rendering. */
    problemOf: (field: string): string | undefined =>
      drawn.value?.problems.find((problem) => problem.field === field)?.message,
    failure,
    isDrawing,
  });
}
