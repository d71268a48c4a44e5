import type Koa from 'koa';
import type { AnyEndpoint } from '../../contract/endpoint.ts';
import { type FairQueue, fairQueue } from '../concurrency/fair-queue.ts';
import { rowsAtOnce } from './pagination.ts';

/** Long pages rendered at once: each may be ten megabytes, and takes a millisecond of each turn. */
const width = 2;
/** Long pages that may wait, of all accounts; waiting ones use no memory yet. */
const most = 800;

/** The queue for long list pages, fair between accounts and networks. */
export function longPageQueue(): FairQueue {
  return fairQueue({ width, most });
}

/** Whether an endpoint lists pages: other requests with a limit would only delay them. */
export function isPaged({ method, query }: Pick<AnyEndpoint, 'method' | 'query'>): boolean {
  return method === 'GET' && takesLimit(query);
}

/** What is read before or after its parts has them in `in` and `out`. */
function takesLimit(schema: unknown): boolean {
  const { shape, def } = (schema ?? {}) as { shape?: object; def?: { in?: unknown; out?: unknown } };
  if (shape) return 'limit' in shape;
  return [def?.in, def?.out].some((part) => part !== undefined && takesLimit(part));
}

/** Whether a request asks for more rows than are presented in one go. */
export function asksForLongPage({ query }: Koa.Context): boolean {
  return Number(query.limit) > rowsAtOnce;
}
