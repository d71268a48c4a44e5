import { useQuery } from '@pinia/colada';
import { useIntervalFn } from '@vueuse/core';
import { computed, watch } from 'vue';
import { listBackups } from '../../../server/contract/backups.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey } from '../../api/instance.ts';

/** Polling interval in milliseconds. */
const lookMs = 700;

/**
 * The instance's backups, polled while a task is running. `onEnd` is called when it ends, with whether it succeeded.
 */
export function useBackups(onEnd: (worked: boolean) => void) {
  const query = useQuery({
    key: () => instanceQueryKey(['backups']),
    query: ({ signal }) => call(listBackups, { signal }),
    staleTime: 0,
  });
  const overview = computed(() => query.data.value?.data);
  const running = computed(() => overview.value?.running ?? null);
  const looking = useIntervalFn(() => void query.refetch(), lookMs, { immediate: false });

  watch(
    running,
    (now, before) => {
      if (now) looking.resume();
      else looking.pause();
      if (before && !now && overview.value) onEnd(overview.value.failure === null);
    },
    { immediate: true },
  );

  return { query, overview, running };
}
