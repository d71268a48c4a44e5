import { useQueryCache } from '@pinia/colada';
import { useDebounceFn } from '@vueuse/core';
import { ignoreRejection } from '../api/ignore-rejection.ts';
import { instanceQueryKey } from '../api/instance.ts';
import { useLiveEvents } from '../api/live.ts';

/** A change made elsewhere shows by itself: a `changed` event makes the queries of that resource fetch again. */
export function useLiveQueries(): void {
  const queries = useQueryCache();
  const changed = new Set<string>();
  // An import changes thousands of links; the page asks once.
  const refetch = useDebounceFn(
    () => {
      for (const resource of changed)
        ignoreRejection(queries.invalidateQueries({ key: instanceQueryKey([resource]) }));
      changed.clear();
    },
    400,
    { maxWait: 2000 },
  );
  useLiveEvents((event) => {
    if (event.type !== 'changed') return;
    changed.add(event.resource);
    void refetch();
  });
}
