import type { StatsDimension } from '../../contract/stats.ts';
import type { Metrics } from '../../visits/stats/metrics.ts';
import type { Statistics, StatsService } from '../../visits/stats/service.ts';
import { type PublicStatsPage, subjectOf } from './queries.ts';

/** The periods of a public page. */
export const publicPeriods = ['7d', '30d', '90d', '12m'] as const;
export type PublicPeriod = (typeof publicPeriods)[number];

/** What a public page can show besides its total: nothing from URLs (UTM values), and no cities. */
export const publicDimensions = [
  'country',
  'referrer',
  'device',
  'browser',
  'os',
  'language',
] as const satisfies readonly StatsDimension[];
export type PublicDimension = (typeof publicDimensions)[number];

export interface PublicMetrics {
  total: Metrics;
  interval: Statistics['period']['interval'];
  series: readonly { at: number; clicks: number }[];
  dimensions: Readonly<Record<PublicDimension, readonly { value: string; clicks: number }[]>>;
}

/** How long metrics are cached: reloading a page costs nothing, and new clicks appear soon. */
const freshMs = 60_000;
/** The maximum number of cached metrics, of some kilobytes each. */
const mostKept = 200;
/** Pages whose metrics are computed at once: owners' own statistics wait in the same thread. */
const mostAtOnce = 4;
const mostRows = 10;

interface Options {
  stats: Pick<StatsService, 'ofLink' | 'ofCampaign'>;
  monotonic: () => number;
}

/**
 * The metrics of public pages, each computed at most once a minute. Days are in UTC, since an account's time zone
 * would reveal something about it.
 */
export function recentMetrics({ stats, monotonic }: Options) {
  const recent = new Map<string, { until: number; metrics: Promise<PublicMetrics> }>();
  let underWay = 0;

  async function count(
    { link_id: linkId, campaign_id: campaignId }: PublicStatsPage,
    period: PublicPeriod,
  ): Promise<PublicMetrics> {
    underWay += 1;
    try {
      const request = { period, withBots: false, timezone: 'UTC' };
      return pick(
        linkId === null
          ? await stats.ofCampaign(campaignId as number, request)
          : await stats.ofLink(linkId, request),
      );
    } finally {
      underWay -= 1;
    }
  }

  return {
    /** The metrics of a page; undefined when too many pages are counted just now. */
    of(page: PublicStatsPage, period: PublicPeriod): Promise<PublicMetrics> | undefined {
      const key = `${page.user_id} ${subjectOf(page)} ${period}`;
      const known = recent.get(key);
      if (known && monotonic() < known.until) return known.metrics;
      if (underWay >= mostAtOnce) return undefined;
      const metrics = count(page, period);
      recent.delete(key);
      recent.set(key, { until: monotonic() + freshMs, metrics });
      metrics.catch(() => {
        if (recent.get(key)?.metrics === metrics) recent.delete(key);
      });
      const oldest = recent.size > mostKept ? recent.keys().next().value : undefined;
      if (oldest !== undefined) recent.delete(oldest);
      return metrics;
    },
  };
}

export type RecentMetrics = ReturnType<typeof recentMetrics>;

function pick({ period, total, series, dimensions }: Statistics): PublicMetrics {
  const rowsOf = (name: PublicDimension) =>
    (dimensions[name] ?? [])
      .slice(0, mostRows)
      .map(({ value, clicks }) => ({ value: String(value), clicks }));
  return {
    total,
    interval: period.interval,
    series: period.intervals.map(({ from }, index) => ({ at: from, clicks: series[index]?.clicks ?? 0 })),
    dimensions: {
      country: rowsOf('country'),
      referrer: rowsOf('referrer'),
      device: rowsOf('device'),
      browser: rowsOf('browser'),
      os: rowsOf('os'),
      language: rowsOf('language'),
    },
  };
}
