import type { Core } from '../../platform/core.ts';
import { transactions } from '../../platform/database/transactions.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { Module } from '../../platform/module.ts';
import { removalOfDeletedLinks } from './deleted-links.ts';
import { moveMetrics } from './moved-metrics.ts';
import { retentionJob } from './retention-job.ts';
import { retentionQueries } from './retention-queries.ts';

interface Options {
  /** The account with the next id, and its plan. */
  accountAfter: (id: number) => Account | undefined;
}

export interface RetentionModule extends Module {
  /** Call it when links are permanently deleted: their clicks are deleted, too. */
  removeDeletedLinks: () => void;
  /** Call it when links have moved to another account: their metrics follow (`moved-metrics.ts`). */
  moveMetrics: () => void;
}

/** Sets up the retention of clicks. */
export function retentionModule(core: Core, { accountAfter }: Options): RetentionModule {
  const { settings, clock } = core;
  const queries = retentionQueries(core.databases.clicks);
  const atomic = transactions(core.databases.clicks, { afterCommit: core.checkpoints.consider });
  const wake = core.backlog.add({
    name: 'gone links',
    step: removalOfDeletedLinks(queries),
    transactions: atomic,
  });
  const wakeMetrics = core.backlog.add({
    name: 'figures of moved links',
    step: moveMetrics(core.databases.clicks),
    transactions: atomic,
  });
  return {
    removeDeletedLinks: () => void wake(),
    moveMetrics: () => void wakeMetrics(),
    jobs: [
      retentionJob({
        queries,
        transactions: atomic,
        retentionDays: () => settings.current().retentionDays,
        storesAddresses: () => settings.current().privacy.storeAddresses,
        accountAfter(id) {
          const account = accountAfter(id);
          return account && { userId: account.user.id, days: account.plan.limits.retention };
        },
        clock,
        now: clock.now,
      }),
    ],
  };
}
