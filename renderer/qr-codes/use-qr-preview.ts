import { computed, onScopeDispose, reactive, ref, shallowRef, watch } from 'vue';
import { previewQr, type QrChange } from '../../server/contract/qr.ts';
import { call } from '../api/client.ts';
import { ApiFailure, isAbort } from '../api/failure.ts';

/** A code as the server drew it, and whether it scans. */
export interface DrawnQr {
  readonly svg: string;
  readonly encoded: string;
  readonly correction: string;
  /** Modules of an edge. */
  readonly size: number;
  readonly problem: { readonly field: string; readonly message: string } | null;
}

/** How long typing rests before the code is drawn anew. Milliseconds. */
const pause = 200;

/**
 * A code that is drawn again whenever its draft changes, by the same program that draws the real one. The last one that
 * could be drawn stays in sight. `draft` is undefined while none is wanted.
 */
export function useQrPreview(draft: () => (QrChange & { id?: number }) | undefined) {
  const drawn = shallowRef<DrawnQr>();
  const failure = ref('');
  const isDrawing = ref(false);
  const text = computed(() => JSON.stringify(draft()));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay = new AbortController();

  async function run(written: string): Promise<void> {
    underWay.abort();
    const current = new AbortController();
    underWay = current;
    isDrawing.value = true;
    try {
      const { data } = await call(previewQr, {
        body: JSON.parse(written) as QrChange,
        signal: current.signal,
      });
      if (underWay !== current) return;
      drawn.value = data;
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

  return reactive({ drawn, failure, isDrawing });
}
