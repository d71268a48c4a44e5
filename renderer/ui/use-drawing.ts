import { computed, onScopeDispose, reactive, ref, shallowRef, watch } from 'vue';
import { ApiFailure, isAbort } from '../api/failure.ts';

interface Options<Draft, Drawn> {
  /** The draft to render; undefined if there is nothing to render. */
  draft: () => Draft | undefined;
  draw: (draft: Draft, signal: AbortSignal) => Promise<Drawn>;
}

/** Debounce time after typing, in milliseconds. */
const pause = 200;

/**
 * The server's rendering of a draft, updated whenever the draft changes. The last successful rendering stays visible;
 * responses to outdated drafts are discarded.
 */
export function useDrawing<Draft, Drawn>({ draft, draw }: Options<Draft, Drawn>) {
  const drawn = shallowRef<Drawn>();
  const failure = ref('');
  const isDrawing = ref(false);
  const text = computed(() => JSON.stringify(draft()));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay = new AbortController();

  async function run(written: string): Promise<void> {
    const current = new AbortController();
    underWay = current;
    isDrawing.value = true;
    try {
      const answer = await draw(JSON.parse(written) as Draft, current.signal);
      if (underWay !== current) return;
      drawn.value = answer;
      failure.value = '';
    } catch (error) {
      if (underWay !== current || isAbort(error)) return;
      failure.value = error instanceof ApiFailure ? error.message : String(error);
    } finally {
      if (underWay === current) isDrawing.value = false;
    }
  }

  function stop(): void {
    clearTimeout(timer);
    underWay.abort();
    isDrawing.value = false;
  }

  watch(
    text,
    (written, before) => {
      stop();
      if (written === undefined) {
        drawn.value = undefined;
        failure.value = '';
        return;
      }
      // The first draft was not typed and needs no debounce.
      timer = setTimeout(() => void run(written), before === undefined ? 0 : pause);
    },
    { immediate: true },
  );
  onScopeDispose(stop);

  return reactive({
    /** Undefined until the first rendering is available. */
    drawn,
    /** Why rendering failed. */
    failure,
    isDrawing,
  });
}
