import type { Read, Reader, Rows, Value } from '../../platform/database/reader.ts';
import type { Page } from '../../platform/http/pagination.ts';
import { channelsBelow } from '../../visits/stats/channels-below.ts';
import {
  conditionsOf,
  countSql,
  filterValues,
  foundBy,
  isSteady,
  type LinkFilter,
  totalSql,
} from './link-filter.ts';
import {
  byDate,
  fromPlace,
  idsFromEnd,
  idsInOrder,
  type Order,
  orders,
  picked,
  placeInOrder,
  rowsOf,
  sortedIds,
  turned,
} from './list-statements.ts';
import { type ExportedLinkRow, exportedColumns, type LinkRow } from './queries.ts';

const hasBelowSql = `SELECT count(*) > 1 AS has FROM (${channelsBelow} LIMIT 2)`;
const versionSql = 'SELECT live, trashed, version FROM link_counts WHERE user_id = @user';

/** Up to this many matches are sorted at once; beyond that the index of the order is read until the page is full. */
const fewLinks = 2_000;
/** Every so many links, the place in a list by date is remembered until the list changes: pages are found from there. */
const linksBetween = 10_000;

/** A list whose length triggers keep (`total`), and the page of it that is wanted. */
interface PlainList {
  filter: LinkFilter;
  total: string;
  wanted: Order;
  bound: Record<string, Value | undefined> & { limit: number; offset: number };
}

/**
 * The lists of an account's links, read in the reader thread. Their SQL is assembled from constant parts; values
 * are always bound. A page is found by ids only, in an index, and only its own rows are read.
 */
export function linkLists(reader: Reader, few = fewLinks, between = linksBetween) {
  return {
    /** A page of what matches, and how many links do. */
    async list(
      userId: number,
      asked: LinkFilter,
      order: string,
      page: { limit: number; offset: number },
      now: number,
    ): Promise<Page<LinkRow>> {
      const filter = await nested(userId, asked);
      const wanted = orders[order] ?? byDate;
      const bound = { ...filterValues(userId, filter, now), ...page };
      const total = totalSql(filter);
      if (total !== undefined) return plainPage({ filter, total, wanted, bound });
      const isKept = isSteady(filter);
      const [[version] = [], [counted] = []] = await reader.read([
        { sql: versionSql, values: [bound] },
        {
          sql: countSql(filter),
          values: [isKept ? { ...bound, ...noPage } : bound],
          ...(isKept && { keptWith: 0 }),
        },
      ]);
      const found = Number(counted?.total ?? 0);
      if (found <= page.offset) return { rows: [], total: found };
      const live = Number(version?.live ?? 0) + Number(version?.trashed ?? 0);
      const toRead = ((page.offset + page.limit) * live) / found;
      const ids = found <= few || toRead > 4 * found ? sortedIds(filter, wanted) : idsInOrder(filter, wanted);
      const [rows = []] = await reader.read([{ sql: rowsOf(ids), values: [bound] }]);
      return { rows: rows as unknown as LinkRow[], total: found };
    },

    /**
     * Matching links after a timestamp and id, newest first, with names for export: at most `limit`, up to a number of
     * `bytes`. Empty if no more match.
     */
    async exportBatch(
      userId: number,
      filter: LinkFilter,
      batch: { at: number; id: number; limit: number; bytes: number },
      now: number,
    ): Promise<ExportedLinkRow[]> {
      const after = '(links.created_at, links.id) < (@at, @id)';
      const ids = `SELECT links.id AS id FROM links INDEXED BY links_by_user
        WHERE ${conditionsOf(filter).join(' AND ')} AND ${after} ORDER BY ${byDate.forwards} LIMIT @limit`;
      const order = 'created_at DESC, id DESC';
      const sql = `SELECT * FROM (SELECT ${exportedColumns},
          sum(${bytesOfLink}) OVER (ORDER BY links.created_at DESC, links.id DESC
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
        ${picked(ids)}) WHERE ifnull(bytes_before, 0) < @bytes ORDER BY ${order}`;
      const [rows = []] = await reader.read([
        { sql, values: [{ ...filterValues(userId, filter, now), ...batch }] },
      ]);
      return rows as unknown as ExportedLinkRow[];
    },

    /** What reads the ids of all links that match, newest first, as JSON lists of some thousands: `ids`. */
    idLists(userId: number, filter: LinkFilter, now: number): Read {
      const { source, where } = foundBy(filter);
      const found = `SELECT links.id AS id, (row_number() OVER (ORDER BY links.id DESC) - 1) / 5000 AS list
        FROM ${source} WHERE ${where} ORDER BY links.id DESC`;
      const sql = `SELECT json_group_array(id) AS ids FROM (${found}) GROUP BY list ORDER BY list`;
      return { sql, values: [filterValues(userId, filter, now)] };
    },
  };

  /** The filter without `below` if there are no nested channels: a single channel's list has its own index. */
  async function nested(userId: number, { below, ...filter }: LinkFilter): Promise<LinkFilter> {
    const { channel } = filter;
    if (below !== '1' || channel === undefined) return filter;
    const [[row] = []] = await reader.read([{ sql: hasBelowSql, values: [{ user: userId, channel }] }]);
    return row?.has === 1 ? { ...filter, below } : filter;
  }

  /** A page of a list whose length is known: it is read from the end that is nearer. */
  async function plainPage(plain: PlainList): Promise<Page<LinkRow>> {
    const { filter, total, wanted, bound } = plain;
    const { limit, offset } = bound;
    const totalRead: Read = { sql: `SELECT ifnull(${total}, 0) AS total`, values: [bound] };
    const versionRead: Read = { sql: versionSql, values: [bound] };
    // Pages near the beginning do not need the total.
    const [version = [], [known] = []] =
      offset > 10 * limit ? await reader.read([versionRead, totalRead]) : [];
    if (known && Number(known.total) <= offset) return { rows: [], total: Number(known.total) };
    const isNear = known === undefined || 2 * offset + limit <= Number(known.total);
    const before = isNear ? offset : Number(known.total) - offset - limit;
    const order = isNear ? wanted : turned(wanted);
    const place = await placeBefore(filter, order, bound, before);
    if (place) {
      const ids = idsInOrder(filter, order, fromPlace(order));
      const [versionNow, [counted] = [], rows = []] = await reader.read([
        versionRead,
        totalRead,
        { sql: rowsOf(ids), values: [{ ...bound, ...place }] },
      ]);
      if (JSON.stringify(versionNow) === JSON.stringify(version)) return pageOf(rows, counted);
    }
    const ids = isNear ? idsInOrder(filter, wanted) : idsFromEnd(filter, wanted, total);
    const [[counted] = [], rows = []] = await reader.read([totalRead, { sql: rowsOf(ids), values: [bound] }]);
    return pageOf(rows, counted);

    function pageOf(rows: Rows, counted: Rows[number] | undefined): Page<LinkRow> {
      const found = rows as unknown as LinkRow[];
      return { rows: isNear ? found : found.reverse(), total: Number(counted?.total ?? 0) };
    }
  }

  /**
   * The nearest remembered place that is not behind so many links in an order by date, and how many of them follow it
   * (`offset`). An index has no numbers: without it, half a million entries would be read to come to the middle of a
   * million. Undefined near the beginning, and for other orders.
   */
  async function placeBefore(filter: LinkFilter, order: Order, bound: PlainList['bound'], before: number) {
    const skipped = Math.floor(before / between) * between;
    if (skipped <= 0 || order.index !== byDate.index || filter.channel !== undefined) return undefined;
    const [, [place] = []] = await reader.read([
      { sql: versionSql, values: [bound] },
      {
        sql: placeInOrder(filter, order),
        values: [{ ...bound, ...noPage, offset: skipped }],
        keptWith: 0,
      },
    ]);
    return place && { ...place, offset: before - skipped };
  }
}

export type LinkLists = ReturnType<typeof linkLists>;

/** About how many bytes a link takes, by what can be long in it. */
const bytesOfLink = ['url', 'note', 'rules', 'abtesting', 'parameters']
  .map((column) => `ifnull(octet_length(links.${column}), 0)`)
  .join(' + ');

/** Makes the bound values equal for all pages of a filter. */
const noPage = { limit: undefined, offset: undefined, now: undefined };
