import { useQuery } from '@pinia/colada';
import { useIntervalFn } from '@vueuse/core';
import { computed, watch } from 'vue';
import { listBackups } from '../../../server/contract/backups.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey } from '../../api/instance.ts';

/** How often it is asked how far something is, milliseconds. */
const lookMs = 700;

/**
 * The backups of the instance, kept up to date while something is under way. `onEnd` is told when it ended, and whether
 * well.
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
