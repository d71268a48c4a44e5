import { useQueryCache } from '@pinia/colada';
import { useDebounceFn } from '@vueuse/core';
import { ignoreRejection } from './ignore-rejection.ts';
import { instanceQueryKey } from './instance.ts';
import { useLiveEvents } from './live.ts';

/**
 * Fetches the queries of `resource` again when one of `others` changes that it shows something of: a campaign shows its
 * links, and says nothing by itself when one of them is edited. `clicks` stands for clicks of links.
 */
export function useReloadOn(resource: string, others: readonly string[]): void {
  const queries = useQueryCache();
  const reload = useDebounceFn(
    () => ignoreRejection(queries.invalidateQueries({ key: instanceQueryKey([resource]) })),
    600,
    { maxWait: 4000 },
  );
  useLiveEvents((event) => {
    if (
      event.type === 'changed'
        ? others.includes(event.resource)
        : event.type === 'click' && others.includes('clicks')
    )
      void reload();
  });
}
