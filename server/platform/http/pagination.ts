import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Caller } from './caller.ts';

/** A page as a query asks for it, already clamped by the contract's schema. */
export interface PageRequest {
  limit: number;
  page: number;
}

/** The part of a list that is wanted. */
export interface ListPage {
  limit: number;
  offset: number;
  /** The person who created what is listed; null for everybody. */
  member: number | null;
}

/** The part of a list that a request wants and may see: nothing but their own for anyone who is limited to that. */
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

/** Whose creations a list shows; null for everybody's. 0 is nobody. */
export function listedMember(
  { person, ownOnly }: Pick<Caller, 'person' | 'ownOnly'>,
  wanted: number | undefined,
): number | null {
  const { id } = person.user;
  if (!ownOnly) return wanted ?? null;
  return wanted === undefined || wanted === id ? id : 0;
}

/** One page of rows and how many there are in all. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}

/** The OFFSET of a page. */
export function offsetOf({ limit, page }: PageRequest): number {
  return (page - 1) * limit;
}

/** The counts of the pagination envelope (contract; decision 0002: past the end the page is empty). */
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

/** Rows that are presented before everybody else gets a turn: about a millisecond of links. */
export const rowsAtOnce = 50;

/**
 * The reply of a list: counts and rows under the resource's own key. However long a page is, redirects are answered
 * meanwhile.
 */
export async function pageReply<Key extends string, Row, Item>(
  key: Key,
  page: Page<Row>,
  request: PageRequest,
  present: (row: Row) => Item,
) {
  const items: Item[] = [];
  for (const row of page.rows) {
    if (items.length > 0 && items.length % rowsAtOnce === 0) await turnOfOthers();
    items.push(present(row));
  }
  const named = { [key]: items } as Record<Key, Item[]>;
  return { data: { ...pageCounts(page.total, request), ...named } };
}
