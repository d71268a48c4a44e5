import { useQueryCache } from '@pinia/colada';
import { useDebounceFn } from '@vueuse/core';
import { ignoreRejection } from './ignore-rejection.ts';
import { instanceQueryKey } from './instance.ts';
import { useLiveEvents } from './live.ts';

/**
 * Reloads the queries of `resource` when one of `others` changes, whose data it includes: a campaign shows its links,
 * but editing a link does not change the campaign itself. `clicks` stands for click events.
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
