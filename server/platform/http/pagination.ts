import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Caller } from './caller.ts';

/** A page as requested, already clamped by the contract's schema. */
export interface PageRequest {
  limit: number;
  page: number;
}

/** The requested part of a list. */
export interface ListPage {
  limit: number;
  offset: number;
  /** Only records created by this person; null for all. */
  member: number | null;
}

/** The part of a list that a request asks for and may see: only their own records for restricted members. */
export function listPage(
  { person, ownOnly }: Pick<Caller, 'person' | 'ownOnly'>,
  query: PageRequest & { member?: number | undefined },
): ListPage {
  return {
    limit: query.limit,
    offset: offsetOf(query),
    member: listedMember({ person, ownOnly }, query.member),
  };
}

/** The creator whose records are listed; null for all. 0 matches nobody. */
export function listedMember(
  { person, ownOnly }: Pick<Caller, 'person' | 'ownOnly'>,
  wanted: number | undefined,
): number | null {
  const { id } = person.user;
  if (!ownOnly) return wanted ?? null;
  return wanted === undefined || wanted === id ? id : 0;
}

/** A page of rows and the total. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}

/** A page's OFFSET. */
export function offsetOf({ limit, page }: PageRequest): number {
  return (page - 1) * limit;
}

/** The pagination envelope (contract; decision 0002: beyond the last page it is empty). */
export function pageCounts(total: number, { limit, page }: PageRequest) {
  const maxpage = Math.max(1, Math.ceil(total / limit));
  return {
    result: total,
    perpage: limit,
    currentpage: page,
    nextpage: page < maxpage ? page + 1 : null,
    maxpage,
  };
}

/** Rows that are presented before yielding: about a millisecond of links. */
export const rowsAtOnce = 50;

/**
 * The response of a list: counts, and rows under the resource's key. Redirects are answered in between, however long
 * the page is. `atOnce` is for rows that take longer than those of a usual list.
 */
export async function pageReply<Key extends string, Row, Item>(
  key: Key,
  page: Page<Row>,
  request: PageRequest,
  present: (row: Row) => Item,
  atOnce = rowsAtOnce,
) {
  const items: Item[] = [];
  for (const row of page.rows) {
    if (items.length > 0 && items.length % atOnce === 0) await turnOfOthers();
    items.push(present(row));
  }
  const named = { [key]: items } as Record<Key, Item[]>;
  return { data: { ...pageCounts(page.total, request), ...named } };
}
