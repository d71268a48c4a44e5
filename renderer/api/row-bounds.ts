import type { ApiReply } from '../../preload/contract.ts';
import { pageSize } from './page-size.ts';

/** Rows of a page that was asked for, and ours for lists that come whole. */
const mostRows = { page: pageSize, whole: 5_000 };

/**
 * A reply whose lists are no longer than a page of them can be, whatever the server sent: a window that draws thousands
 * of rows which nobody asked for stands still (T-29). Looks at the document and its `data`, where lists are.
 */
export function withBoundedRows(reply: ApiReply, isPaged: boolean): ApiReply {
  const most = isPaged ? mostRows.page : mostRows.whole;
  const { body } = reply;
  if (!isObject(body)) return reply;
  const bounded = withShortLists(body, most);
  const { data } = bounded;
  const shown = isObject(data) ? withShortLists(data, most) : data;
  if (bounded === body && shown === data) return reply;
  return { ...reply, body: shown === data ? bounded : { ...bounded, data: shown } };
}

/** The object itself where none of its lists is too long. */
function withShortLists(object: Record<string, unknown>, most: number): Record<string, unknown> {
  const isLong = (value: unknown) => Array.isArray(value) && value.length > most;
  if (!Object.values(object).some(isLong)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, most) : value,
    ]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
