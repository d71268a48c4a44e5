import type { Identity } from '../../identity/module.ts';
import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import { healthJob } from './job.ts';
import { healthLists, healthQueries } from './queries.ts';
import { healthWarnings } from './warnings.ts';

/** Wires the checks of destinations, and the messages about those that are broken (decision 0077). */
export function healthModule(core: Core, { mail }: Pick<Identity, 'mail'>): Module {
  const { baseUrl, changes, clock, fetcher, random, slices, transactions } = core;
  const queries = healthQueries(core.databases.main);
  const lists = healthLists(core.reader);
  const job = healthJob({
    queries,
    lists,
    fetcher,
    warnings: healthWarnings({ mail, queries, lists, slices, baseUrl }),
    isMailReady: mail.isReady,
    slices,
    transactions,
    changes,
    randomInteger: random.integer,
    now: clock.now,
  });
  return { jobs: [job] };
}
