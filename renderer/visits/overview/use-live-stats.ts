import { useQueryCache } from '@pinia/colada';
import { useThrottleFn } from '@vueuse/core';
import { instanceQueryKey } from '../../api/instance.ts';
import { useLiveEvents } from '../../api/live.ts';

/** How often events make the metrics fetch again, at most. Milliseconds. */
const pause = 5000;

/**
 * Keeps the statistics on screen up to date while clicks come in and links are made or deleted: soon after the first
 * event, then every few seconds.
 */
export function useLiveStats(): void {
  const queries = useQueryCache();
  const refetch = useThrottleFn(
    () => queries.invalidateQueries({ key: instanceQueryKey(['stats']) }),
    pause,
    true,
  );
  useLiveEvents((event) => {
    if (event.type === 'click' || (event.type === 'changed' && event.resource === 'links')) void refetch();
  });
}
