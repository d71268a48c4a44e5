import { useQueryCache } from '@pinia/colada';
import { instanceQueryKey } from './instance.ts';

/**
 * Returns `reload(...resources)`, which reloads the displayed data of resources and resolves once all have responded. A
 * resource is a name (`links`), or a query key prefix (`['links', 7, 'cases']`). Never rejects: the change itself
 * succeeded, and failed queries — such as that of a record just deleted — are reported by their pages.
 */
export function useReload(): (...resources: (string | readonly (string | number)[])[]) => Promise<void> {
  const queries = useQueryCache();
  return async (...resources) => {
    const keys = resources.map((resource) => instanceQueryKey([resource].flat()));
    await Promise.allSettled(keys.map((key) => queries.invalidateQueries({ key })));
  };
}
