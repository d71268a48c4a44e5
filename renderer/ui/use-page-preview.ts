import { computed, reactive, toRefs } from 'vue';
import { useDrawing } from './use-drawing.ts';

/** A page as the server drew it, and what is wrong with parts of it. */
interface DrawnPage {
  readonly html: string;
  readonly problems: readonly { readonly field: string; readonly message: string }[];
}

interface Options<Draft> {
  /** What is to be drawn; undefined while there is nothing. */
  draft: () => Draft | undefined;
  draw: (draft: Draft, signal: AbortSignal) => Promise<DrawnPage>;
  /** Whether drawing is wanted: not while a form is closed. */
  enabled: () => boolean;
}

/** The page of a draft, drawn again whenever the draft changes. */
export function usePagePreview<Draft>({ draft, draw, enabled }: Options<Draft>) {
  const { drawn, failure, isDrawing } = toRefs(
    useDrawing({ draft: () => (enabled() ? draft() : undefined), draw }),
  );
  return reactive({
    /** The document; undefined until the first one is there. */
    html: computed(() => drawn.value?.html),
    /** What is wrong with a field of the last one that was drawn. */
    problemOf: (field: string): string | undefined =>
      drawn.value?.problems.find((problem) => problem.field === field)?.message,
    failure,
    isDrawing,
  });
}
