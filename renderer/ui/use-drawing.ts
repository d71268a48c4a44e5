import { computed, onScopeDispose, reactive, ref, shallowRef, watch } from 'vue';
import { ApiFailure, isAbort } from '../api/failure.ts';

interface Options<Draft, Drawn> {
  /** What is to be drawn; undefined while nothing is wanted. */
  draft: () => Draft | undefined;
  draw: (draft: Draft, signal: AbortSignal) => Promise<Drawn>;
}

/** How long typing rests before it is drawn anew. Milliseconds. */
const pause = 200;

/**
 * What a server draws of a draft, drawn again whenever the draft changes. The last one that could be drawn stays in
 * sight; an answer that comes after the draft has changed again is thrown away.
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
      // The first one is not typed, so it need not wait.
      timer = setTimeout(() => void run(written), before === undefined ? 0 : pause);
    },
    { immediate: true },
  );
  onScopeDispose(stop);

  return reactive({
    /** Undefined until the first one is there. */
    drawn,
    /** Why it could not be drawn. */
    failure,
    isDrawing,
  });
}
