import type { ApiReply } from '../../preload/contract.ts';
import { pageSize } from './page-size.ts';

/** Limits for paginated lists, and for lists returned as a whole. */
const mostRows = { page: pageSize, whole: 5_000 };

/**
 * Truncates the lists of a response, whatever the server sent: rendering thousands of rows nobody requested would
 * freeze the window (T-29). Only checks lists in the document itself and in its `data`.
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

/** Returns the same object if no list is too long. */
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
