import { computed, onScopeDispose, reactive, ref, shallowRef, watch } from 'vue';
import { ApiFailure, isAbort } from '../api/failure.ts';

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

/** How long typing rests before the page is drawn anew. Milliseconds. */
const pause = 250;

/**
 * A page that is drawn again whenever its draft changes. The last one that could be drawn stays in sight; an answer that
 * comes after the draft has changed again is thrown away.
 */
export function usePagePreview<Draft>({ draft, draw, enabled }: Options<Draft>) {
  const page = shallowRef<DrawnPage>();
  const failure = ref('');
  const isDrawing = ref(false);
  const text = computed(() => (enabled() ? JSON.stringify(draft()) : undefined));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay = new AbortController();

  async function run(written: string): Promise<void> {
    underWay.abort();
    const current = new AbortController();
    underWay = current;
    isDrawing.value = true;
    try {
      const drawn = await draw(JSON.parse(written) as Draft, current.signal);
      if (underWay !== current) return;
      page.value = drawn;
      failure.value = '';
    } catch (error) {
      if (underWay !== current || isAbort(error)) return;
      failure.value = error instanceof ApiFailure ? error.message : String(error);
    } finally {
      if (underWay === current) isDrawing.value = false;
    }
  }

  watch(
    text,
    (written, before) => {
      clearTimeout(timer);
      if (written === undefined) {
        underWay.abort();
        page.value = undefined;
        isDrawing.value = false;
        return;
      }
      // The first one is not typed, so it need not wait.
      timer = setTimeout(() => void run(written), before === undefined ? 0 : pause);
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    clearTimeout(timer);
    underWay.abort();
  });

  return reactive({
    /** The document; undefined until the first one is there. */
    html: computed(() => page.value?.html),
    /** What is wrong with a field of the last one that was drawn. */
    problemOf: (field: string): string | undefined =>
      page.value?.problems.find((problem) => problem.field === field)?.message,
    /** Why the page could not be drawn. */
    failure,
    isDrawing,
  });
}
