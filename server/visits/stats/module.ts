import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import type { Redirects } from '../redirects/redirect-path.ts';
import { type ClickExports, clickExports } from './click-export.ts';
import { clickQueries } from './click-queries.ts';
import { exportQueries } from './export-queries.ts';
import { filterQueries } from './filter-queries.ts';
import { presentClick } from './presenter.ts';
import { statsQueries } from './queries.ts';
import { type StatsService, statsService } from './service.ts';
import { statsReader } from './stats-reader.ts';

export interface StatsModule extends Module {
  stats: StatsService;
  clickExports: ClickExports;
  /** What live pages show of clicks. */
  clicks: {
    totalsOf: (linkIds: readonly number[]) => Promise<{ id: number; clicks: number }[]>;
    clicksOf: (clickIds: readonly number[], timezone: string) => Promise<ReturnType<typeof presentClick>[]>;
  };
}

/** Wires statistics. Their endpoints are served with the links whose numbers they are. */
export function statsModule(
  { databases, clock, baseUrl }: Core,
  redirects: Pick<Redirects, 'countRecent'>,
): StatsModule {
  const reader = statsReader(databases.file);
  const log = clickQueries(reader);
  return {
    close: reader.close,
    stats: statsService({
      queries: statsQueries(reader, clock.now),
      filterQueries: filterQueries(reader),
      log,
      countRecent: redirects.countRecent,
      now: clock.now,
    }),
    clickExports: clickExports({
      queries: exportQueries(reader),
      countRecent: redirects.countRecent,
      baseUrl,
      now: clock.now,
    }),
    clicks: {
      totalsOf: log.linkTotals,
      clicksOf: async (ids, timezone) =>
        (await log.clicksById(ids)).map((row) => presentClick(row, timezone, baseUrl())),
    },
  };
}
