import { useQueryCache } from '@pinia/colada';
import { instanceQueryKey } from './instance.ts';

/**
 * Returns `reload(...resources)`: fetches what is shown of the resources again, and resolves when all of it has
 * answered; a resource is a name (`links`), or the beginning of a key (`['links', 7, 'cases']`). It never rejects: what
 * was changed has been changed, and a query that fails — that of the record which was just deleted does — is told by
 * its page.
 */
export function useReload(): (...resources: (string | readonly (string | number)[])[]) => Promise<void> {
  const queries = useQueryCache();
  return async (...resources) => {
    const keys = resources.map((resource) => instanceQueryKey([resource].flat()));
    await Promise.allSettled(keys.map((key) => queries.invalidateQueries({ key })));
  };
}
