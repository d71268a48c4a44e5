import { useQuery } from '@pinia/colada';
import { refDebounced } from '@vueuse/core';
import { computed, reactive, ref, watch } from 'vue';
import { useRoute } from 'vue-router';
import { instanceQueryKey, useInstanceStore } from '../api/instance.ts';
import { useReload } from '../api/use-reload.ts';
import { useEntryMemory } from './use-entry-memory.ts';

/** One page of a list, as returned by the server. */
export interface LoadedPage<Row> {
  readonly rows: readonly Row[];
  /** Total number of matches. */
  readonly result: number;
  readonly maxpage: number;
}

interface PageRequest<Filters> {
  /** The search term; empty for no search. */
  readonly term: string;
  readonly filters: Filters;
  /** Query parameter that restricts the list to records created by one member, if selected. */
  readonly by: { member?: number };
  readonly page: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

interface Options<Row, Filters> {
  /** Resource name in the query cache, so that live events reload the list. */
  resource: string;
  load: (request: PageRequest<Filters>) => Promise<LoadedPage<Row>>;
  /** Additional filters; changing them resets to the first page. */
  filters?: () => Filters;
  /** Minimum length of a search term; the contract's `q` requires two. */
  leastLetters?: number;
  /** Rows per page; defaults to the account's preference. */
  limit?: number;
  /** How long a page counts as fresh, in milliseconds. */
  staleTime?: number;
}

/** A searchable, paginated list for `RecordsPage`. Refs are unwrapped, so that `list.search` is a string. */
export function usePagedList<Row, Filters extends Readonly<Record<string, unknown>> = Record<string, never>>(
  options: Options<Row, Filters>,
) {
  const store = useInstanceStore();
  const reload = useReload();
  const memory = useEntryMemory('list');
  const before = (memory.before ?? {}) as { search?: unknown; page?: unknown; member?: unknown };
  const route = useRoute();
  const here = route.name;
  /** The search term in the URL, set by the command palette. */
  const asked = () => (typeof route.query.q === 'string' ? route.query.q : undefined);
  const search = ref(asked() ?? (typeof before.search === 'string' ? before.search : ''));
  const page = ref(typeof before.page === 'number' ? before.page : 1);
  /** The member whose records are shown; undefined for all. */
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

  /** Reloads all pages of the resource; after deleting rows, pass how many. */
  async function refresh(removed = 0): Promise<void> {
    if (rows.value && rows.value.length <= removed && page.value > 1) page.value -= 1;
    await reload(options.resource);
  }

  return reactive({
    search,
    /** The debounced search term. */
    term,
    page,
    limit,
    member,
    /** Undefined until the first page is loaded. */
    rows,
    result: computed(() => query.data.value?.result),
    /** Whether no search or filter is active, so that `result` is the total number of records. */
    isWhole: computed(
      () =>
        term.value === '' &&
        member.value === undefined &&
        Object.values(filters.value).every((value) => value === undefined),
    ),
    maxpage: computed(() => query.data.value?.maxpage ?? 1),
    /** Why nothing could be loaded. */
    failure: computed(() => (query.data.value ? undefined : query.error.value)),
    isLoading: query.isLoading,
    refetch: () => void query.refetch(),
    refresh,
  });
}

/** The part of a list that `RecordsPage` needs. */
export type PagedList = ReturnType<typeof usePagedList<unknown, Record<string, unknown>>>;
