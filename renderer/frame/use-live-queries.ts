import { useQueryCache } from '@pinia/colada';
import { useDebounceFn } from '@vueuse/core';
import { ignoreRejection } from '../api/ignore-rejection.ts';
import { instanceQueryKey, useInstanceStore } from '../api/instance.ts';
import { useLiveEvents } from '../api/live.ts';

/**
 * Applies changes made elsewhere: a `changed` event reloads the queries of that resource. Also updates the team's name
 * and the user's permissions in it; a change of role ends the stream, which then reconnects.
 */
export function useLiveQueries(): void {
  const queries = useQueryCache();
  const store = useInstanceStore();
  const changed = new Set<string>();
  /** The account whose stream has connected before. */
  let begun: string | undefined;
  // An import changes thousands of links but causes only one reload.
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
