import { useQueryCache } from '@pinia/colada';
import { useDebounceFn } from '@vueuse/core';
import { ignoreRejection } from '../api/ignore-rejection.ts';
import { instanceQueryKey, useInstanceStore } from '../api/instance.ts';
import { useLiveEvents } from '../api/live.ts';

/**
 * A change made elsewhere shows by itself: a `changed` event makes the queries of that resource fetch again. So do the
 * name of the team that acts and what the person may do in it; a change of their role ends the stream, which then
 * begins anew.
 */
export function useLiveQueries(): void {
  const queries = useQueryCache();
  const store = useInstanceStore();
  const changed = new Set<string>();
  /** The account whose stream has begun once. */
  let begun: string | undefined;
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
  const reloadAccount = useDebounceFn(() => ignoreRejection(store.loadAccount()), 400, { maxWait: 2000 });
  useLiveEvents((event) => {
    if (event.type === 'hello') {
      if (begun === store.scope && store.team !== undefined) void reloadAccount();
      begun = store.scope;
    }
    if (event.type !== 'changed') return;
    if (event.resource === 'teams' && event.ids.some((id) => id === store.team)) void reloadAccount();
    changed.add(event.resource);
    void refetch();
  });
}
