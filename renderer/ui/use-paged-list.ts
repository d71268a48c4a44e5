import { useQuery } from '@pinia/colada';
import { refDebounced } from '@vueuse/core';
import { computed, reactive, ref, watch } from 'vue';
import { useRoute } from 'vue-router';
import { instanceQueryKey, useInstanceStore } from '../api/instance.ts';
import { useReload } from '../api/use-reload.ts';
import { useEntryMemory } from './use-entry-memory.ts';

/** One page of a list as a server answers it. */
export interface LoadedPage<Row> {
  readonly rows: readonly Row[];
  /** Number of all matches. */
  readonly result: number;
  readonly maxpage: number;
}

interface PageRequest<Filters> {
  /** What is searched for; empty for everything. */
  readonly term: string;
  readonly filters: Filters;
  /** Part of the query: only what this member created, where one is chosen. */
  readonly by: { member?: number };
  readonly page: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

interface Options<Row, Filters> {
  /** Names the resource in the query cache, so that live events about it reload the list. */
  resource: string;
  load: (request: PageRequest<Filters>) => Promise<LoadedPage<Row>>;
  /** What else narrows the list down; a change of it goes back to the first page. */
  filters?: () => Filters;
  /** Letters that a search needs; the contract's `q` wants two. */
  leastLetters?: number;
  /** Rows a page; by default what the account prefers. */
  limit?: number;
  /** Milliseconds that a page counts as fresh. */
  staleTime?: number;
}

/**
 * A list that is searched and paged: what `RecordsPage` shows. Refs are unwrapped, so that `list.search` is a string.
 */
export function usePagedList<Row, Filters extends Readonly<Record<string, unknown>> = Record<string, never>>(
  options: Options<Row, Filters>,
) {
  const store = useInstanceStore();
  const reload = useReload();
  const memory = useEntryMemory('list');
  const before = (memory.before ?? {}) as { search?: unknown; page?: unknown; member?: unknown };
  const route = useRoute();
  const here = route.name;
  /** What the address asks for, when the palette led here. */
  const asked = () => (typeof route.query.q === 'string' ? route.query.q : undefined);
  const search = ref(asked() ?? (typeof before.search === 'string' ? before.search : ''));
  const page = ref(typeof before.page === 'number' ? before.page : 1);
  /** Whose records are shown; undefined for everybody's. */
  const member = ref(typeof before.member === 'number' ? before.member : undefined);
  watch(asked, (q) => {
    if (q !== undefined && route.name === here) search.value = q;
  });
  const limit = computed(() => options.limit ?? store.account?.perpage ?? 15);
  const filters = computed(() => options.filters?.() ?? ({} as Filters));
  const typed = computed(() => {
    const text = search.value.trim();
    return text.length < (options.leastLetters ?? 2) ? '' : text;
  });
  const term = refDebounced(typed, 250);

  watch([term, filters, member], () => {
    page.value = 1;
  });
  watch([search, page, member], () =>
    memory.keep({ search: search.value, page: page.value, member: member.value }),
  );

  const query = useQuery({
    key: () =>
      instanceQueryKey([
        options.resource,
        { ...filters.value, member: member.value, term: term.value, page: page.value, limit: limit.value },
      ]),
    query: ({ signal }) =>
      options.load({
        term: term.value,
        filters: filters.value,
        by: member.value === undefined ? {} : { member: member.value },
        page: page.value,
        limit: limit.value,
        signal,
      }),
    placeholderData: (before: LoadedPage<Row> | undefined) => before,
    ...(options.staleTime !== undefined && { staleTime: options.staleTime }),
  });
  const rows = computed(() => query.data.value?.rows);

  /** Loads every page of the resource anew; after a row went, pass how many. */
  async function refresh(removed = 0): Promise<void> {
    if (rows.value && rows.value.length <= removed && page.value > 1) page.value -= 1;
    await reload(options.resource);
  }

  return reactive({
    search,
    /** What is searched for by now. */
    term,
    page,
    limit,
    member,
    /** Undefined until the first page is here. */
    rows,
    result: computed(() => query.data.value?.result),
    /** Whether neither a search nor a filter narrows it down, so that `result` is how many there are. */
    isWhole: computed(
      () =>
        term.value === '' &&
        member.value === undefined &&
        Object.values(filters.value).every((value) => value === undefined),
    ),
    maxpage: computed(() => query.data.value?.maxpage ?? 1),
    /** Why there is nothing to show. */
    failure: computed(() => (query.data.value ? undefined : query.error.value)),
    isLoading: query.isLoading,
    refetch: () => void query.refetch(),
    refresh,
  });
}

/** What `RecordsPage` needs of a list. */
export type PagedList = ReturnType<typeof usePagedList<unknown, Record<string, unknown>>>;
