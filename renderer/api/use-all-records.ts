import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { allRecords } from './all-records.ts';
import { instanceQueryKey, useInstanceStore } from './instance.ts';

interface Options<Item extends object> {
  /** Resource name in the query cache, so that live events reload the list. */
  readonly resource: string;
  /** Fetches one page. */
  readonly load: (
    query: { page: number; limit: number },
    signal: AbortSignal,
  ) => Promise<{ items: readonly Item[]; nextpage: number | null }>;
  /** The instance feature that provides the list; without it, the list is empty. */
  readonly feature?: string;
  /** Whether the list should be loaded. */
  readonly isWanted?: () => boolean;
}

/** How long a list counts as fresh, in milliseconds. */
const staleTime = 60_000;

/** All records of a list, for select inputs: in the server's order, and by id. */
export function useAllRecords<Item extends { readonly id?: number | null }>(options: Options<Item>) {
  const { resource, load, feature, isWanted = () => true } = options;
  const store = useInstanceStore();
  const query = useQuery({
    key: () => instanceQueryKey([resource, 'all']),
    query: ({ signal }) => allRecords((page) => load(page, signal), signal),
    enabled: () => (feature === undefined || store.can(feature)) && isWanted(),
    staleTime,
  });
  const records = computed<readonly Item[]>(() => query.data.value ?? []);
  return {
    records,
    byId: computed(() => new Map<Item['id'], Item>(records.value.map((record) => [record.id, record]))),
    isLoaded: computed(() => query.data.value !== undefined),
    isLoading: query.isLoading,
  };
}
