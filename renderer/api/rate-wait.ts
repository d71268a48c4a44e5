import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
import type { RateWait } from './client.ts';

interface Pause {
  readonly until: number;
  cancel(): void;
}

/** Delays caused by the server's rate limit; the calls are retried automatically afterwards. */
export const useRateWait = defineStore('rate-wait', () => {
  const pauses = ref<Pause[]>([]);
  const now = ref(Date.now());
  let ticking: ReturnType<typeof setInterval> | undefined;

  const waiting = computed(() => pauses.value.length > 0);
  const secondsLeft = computed(() => {
    const until = Math.max(0, ...pauses.value.map((pause) => pause.until));
    return Math.max(0, Math.ceil((until - now.value) / 1000));
  });

  /** Registers a delay; the returned function ends it. */
  function begin(wait: RateWait): () => void {
    const pause: Pause = { until: Date.now() + wait.seconds * 1000, cancel: wait.cancel };
    pauses.value = [...pauses.value, pause];
    now.value = Date.now();
    ticking ??= setInterval(() => {
      now.value = Date.now();
    }, 500);
    return () => {
      pauses.value = pauses.value.filter(
        (other) => other.until !== pause.until || other.cancel !== pause.cancel,
      );
      if (pauses.value.length === 0) {
        clearInterval(ticking);
        ticking = undefined;
      }
    };
  }

  /** Cancels all waiting calls. */
  function cancel(): void {
    for (const pause of [...pauses.value]) pause.cancel();
  }

  return { waiting, secondsLeft, begin, cancel };
});
