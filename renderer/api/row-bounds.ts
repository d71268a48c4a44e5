import type { ApiReply } from '../../preload/contract.ts';

/** The contract's most rows of a page of a list, and ours for lists that come whole. */
const mostRows = { page: 100, whole: 5_000 };

/**
 * A reply whose lists are no longer than a page of them can be, whatever the server sent: a window that draws thousands of
 * rows which nobody asked for stands still (T-29). Looks at `data` and what is directly in it, where lists are.
 */
export function withBoundedRows(reply: ApiReply, isPaged: boolean): ApiReply {
  const { body } = reply;
  if (!isObject(body) || !('data' in body)) return reply;
  const most = isPaged ? mostRows.page : mostRows.whole;
  const { data } = body;
  if (Array.isArray(data)) return data.length > most ? replaced(reply, body, data.slice(0, most)) : reply;
  if (!isObject(data)) return reply;
  const isLong = (value: unknown) => Array.isArray(value) && value.length > most;
  if (!Object.values(data).some(isLong)) return reply;
  const bounded = Object.entries(data).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, most) : value,
  ]);
  return replaced(reply, body, Object.fromEntries(bounded));
}

function replaced(reply: ApiReply, body: object, data: unknown): ApiReply {
  return { ...reply, body: { ...body, data } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
