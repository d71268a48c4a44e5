import { useQueryCache } from '@pinia/colada';
import { useThrottleFn } from '@vueuse/core';
import { instanceQueryKey } from '../../api/instance.ts';
import { useLiveEvents } from '../../api/live.ts';

/** Minimum interval between reloads caused by events, in milliseconds. */
const pause = 5000;

/**
 * Keeps the displayed statistics up to date with live clicks and created or deleted links: soon after the first event,
 * then every few seconds.
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
