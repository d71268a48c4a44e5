import { useDebounceFn } from '@vueuse/core';
import { ref, shallowRef } from 'vue';
import { isAbort } from '../../api/failure.ts';

export interface RowPage<Row> {
  /** Total number of rows on the server. */
  readonly total: number;
  readonly rows: readonly Row[];
}

/** The rows that a list had when it was left. */
export interface KeptRows<Row> {
  readonly total: number;
  /** `total` rows, those that were never loaded undefined. */
  readonly rows: readonly (Row | undefined)[];
  /** The pages that were up to date. */
  readonly pages: readonly number[];
}

/** Debounce while scrolling before visible rows are loaded, and the maximum delay. Milliseconds. */
const rest = { least: 80, most: 500 };

interface Options<Row> {
  /** Pages are numbered from 1. */
  readonly fetchPage: (page: number, signal: AbortSignal) => Promise<RowPage<Row>>;
  readonly pageSize: number;
  /** Rows to begin with; they may be outdated, so `refresh` is to be called once their place on the screen is known. */
  readonly kept?: KeptRows<Row> | undefined;
}

/**
 * A long list that loads only the pages scrolled into view. Rows not loaded yet are `undefined`, so the list has its
 * full length, and the scroll bar its correct size, from the first response on.
 */
export function pagedRows<Row extends { readonly id: number }>({ fetchPage, pageSize, kept }: Options<Row>) {
  /** Replaced on every change and never mutated, so that shallowRef triggers updates. */
  const rows = shallowRef<readonly (Row | undefined)[]>([]);
  const total = ref(kept?.total);
  const failure = shallowRef<unknown>();
  /** Whether the first page of a new view is loading; the previous rows stay until then. */
  const searching = ref(false);
  const places = new Map<number, number>();
  const fresh = new Set(kept?.pages);
  const loading = new Map<number, Promise<void>>();
  let requests = new AbortController();
  if (kept) replace(kept.rows);

  const pagesOf = (first: number, last: number) => {
    const from = Math.floor(Math.max(0, first) / pageSize) + 1;
    const to = Math.floor(Math.max(first, last) / pageSize) + 1;
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  };

  function load(page: number, isNewView = false): Promise<void> {
    const running = loading.get(page);
    if (running) return running;
    const { signal } = requests;
    const work = fetchPage(page, signal)
      .then((answer) => {
        if (signal.aborted) return;
        if (isNewView) {
          forget();
          // Before anybody is told of the rows, and may want others.
          searching.value = false;
        }
        place(page, answer);
        failure.value = undefined;
      })
      .catch((error: unknown) => {
        if (!signal.aborted && !isAbort(error)) failure.value = error;
      })
      .finally(() => {
        if (signal.aborted) return;
        loading.delete(page);
        if (isNewView) searching.value = false;
      });
    loading.set(page, work);
    return work;
  }

  function forget(): void {
    rows.value = [];
    places.clear();
    fresh.clear();
  }

  function place(page: number, answer: RowPage<Row>): void {
    const list = rows.value.slice();
    total.value = answer.total;
    for (const gone of list.splice(answer.total)) if (gone) places.delete(gone.id);
    list.length = answer.total;
    const start = (page - 1) * pageSize;
    for (let index = start; index < Math.min(start + pageSize, answer.total); index += 1) {
      const before = list[index];
      if (before && places.get(before.id) === index) places.delete(before.id);
      list[index] = undefined;
    }
    answer.rows.forEach((row, offset) => {
      const index = start + offset;
      if (index >= answer.total) return;
      const elsewhere = places.get(row.id);
      // The row has moved here from an outdated page; it must not be shown twice.
      if (elsewhere !== undefined && elsewhere !== index) {
        list[elsewhere] = undefined;
        fresh.delete(Math.floor(elsewhere / pageSize) + 1);
      }
      list[index] = row;
      places.set(row.id, index);
    });
    fresh.add(page);
    rows.value = list;
  }

  /** Pending responses predate the upcoming change. */
  function dropAnswers(): void {
    requests.abort();
    requests = new AbortController();
    loading.clear();
  }

  /** Replaces all rows. Their places are known before anybody is told of them. */
  function replace(list: readonly (Row | undefined)[]): void {
    places.clear();
    // Leaves out what was never loaded, which is nearly all of a million rows.
    list.forEach((row, index) => {
      if (row) places.set(row.id, index);
    });
    rows.value = list;
  }

  /** Loads missing or outdated rows from `first` to `last`. */
  async function ensure(first: number, last: number): Promise<void> {
    if (searching.value || total.value === undefined) return;
    const end = Math.min(last, Math.max(0, total.value - 1));
    if (first > end) return;
    await Promise.all(pagesOf(first, end).flatMap((page) => (fresh.has(page) ? [] : [load(page)])));
  }

  return {
    rows,
    total,
    failure,
    searching,

    /** Starts over with the first page after a change of view. */
    reset(): Promise<void> {
      dropAnswers();
      fresh.clear();
      searching.value = true;
      return load(1, true);
    },

    ensure,

    /**
     * Debounced `ensure` for scrolling: rows merely scrolled past are not loaded, because requests are rate limited.
     */
    seen: useDebounceFn(ensure, rest.least, { maxWait: rest.most }),

    /** Reloads the rows from `first` to `last`, and all others when scrolled into view; current rows stay meanwhile. */
    async refresh(first: number, last: number): Promise<void> {
      if (searching.value) return;
      dropAnswers();
      fresh.clear();
      const pages = pagesOf(first, Math.min(last, Math.max(first, (total.value ?? 1) - 1)));
      await Promise.all(pages.map((page) => load(page)));
      // Rows at the end were deleted, including the visible page.
      if (total.value !== undefined && first >= total.value && total.value > 0)
        await load(Math.ceil(total.value / pageSize));
    },

    indexOf: (id: number): number | undefined => places.get(id),

    /** Applies an optimistic change to rows; the returned function reverts it. */
    patch(ids: Iterable<number>, change: (row: Row) => Row): () => void {
      const before = new Map<number, Row>();
      const list = rows.value.slice();
      for (const id of ids) {
        const index = places.get(id);
        const row = index === undefined ? undefined : list[index];
        if (index === undefined || !row) continue;
        before.set(id, row);
        list[index] = change(row);
      }
      if (before.size > 0) rows.value = list;
      return () => {
        const current = rows.value.slice();
        for (const [id, row] of before) {
          const index = places.get(id);
          if (index !== undefined) current[index] = row;
        }
        rows.value = current;
      };
    },

    /**
     * Removes rows optimistically; the returned function restores them in place. Does not reload anything, because the
     * server would still return the old rows; call `refresh` when the request is done.
     */
    remove(ids: ReadonlySet<number>): () => void {
      const before = rows.value;
      const totalBefore = total.value;
      dropAnswers();
      // Rows that were never loaded are holes, which `filter` would leave out.
      replace(Array.from(before).filter((row) => !row || !ids.has(row.id)));
      total.value = (totalBefore ?? 0) - (before.length - rows.value.length);
      return () => {
        dropAnswers();
        replace(before);
        total.value = totalBefore;
      };
    },

    /** Adds a new row at the top. */
    prepend(row: Row): void {
      if (places.has(row.id)) return;
      dropAnswers();
      replace([row, ...rows.value]);
      total.value = (total.value ?? 0) + 1;
    },

    /** The rows to begin with the next time; undefined if they do not belong to the current view, or there are none. */
    keep(): KeptRows<Row> | undefined {
      return searching.value || !total.value
        ? undefined
        : { total: total.value, rows: rows.value, pages: [...fresh] };
    },

    dispose: () => requests.abort(),
  };
}
