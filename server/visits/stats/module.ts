import type { Core } from '../../platform/core.ts';
import type { Redirects } from '../redirects/redirects.ts';
import { clickQueries } from './click-queries.ts';
import { presentClick } from './presenter.ts';
import { statsQueries } from './queries.ts';
import { type StatsService, statsService } from './service.ts';

export interface StatsModule {
  stats: StatsService;
  /** What live pages show of clicks. */
  clicks: {
    totalsOf: (linkIds: readonly number[]) => Promise<{ id: number; clicks: number }[]>;
    clicksOf: (clickIds: readonly number[], timezone: string) => Promise<ReturnType<typeof presentClick>[]>;
  };
}

/** Wires statistics. Their endpoints are served with the links whose numbers they are. */
export function statsModule(
  { reader, clock, baseUrl }: Core,
  redirects: Pick<Redirects, 'catchUp'>,
): StatsModule {
  const log = clickQueries(reader);
  return {
    stats: statsService({
      queries: statsQueries(reader),
      log,
      catchUp: redirects.catchUp,
      now: clock.now,
    }),
    clicks: {
      totalsOf: log.linkTotals,
      clicksOf: async (ids, timezone) =>
        (await log.clicksById(ids)).map((row) => presentClick(row, timezone, baseUrl())),
    },
  };
}
