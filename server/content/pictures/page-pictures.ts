import type { Identity } from '../../identity/module.ts';
import type { Core } from '../../platform/core.ts';
import { pictureQueries } from './queries.ts';
import { pictureService } from './service.ts';

/** The service for the pictures of pages, and the queries behind it. */
export function pagePictures(core: Core, quota: Identity['quota']) {
  const rows = pictureQueries(core.databases.main);
  const service = pictureService({
    queries: rows,
    fetcher: core.fetcher,
    quota,
    transactions: core.transactions,
    randomBytes: core.random.bytes,
    baseUrl: core.baseUrl,
    now: core.clock.now,
  });
  return { rows, service };
}
