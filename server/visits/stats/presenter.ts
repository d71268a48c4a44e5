import type { z } from 'zod';
import type { ReplyOf } from '../../contract/endpoint.ts';
import type { linkMetrics } from '../../contract/links.ts';
import type { Click, getTopGroups, Stats, StatsDimension, topLink } from '../../contract/stats.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import { sources } from '../clicks/dimensions.ts';
import { type ParameterNames, presentNames } from '../parameters/own-parameters.ts';
import { domainUrl, shortUrl } from '../redirects/short-url.ts';
import type { ClickRow } from './click-queries.ts';
import type { LinkGroup } from './group-sums.ts';
import type { Metrics } from './metrics.ts';
import type { TopGroupRow, TopLinkRow, ValueMetrics } from './queries.ts';

/** What a presenter needs to know of the service's result; the service's own type is not its business. */
interface Statistics {
  period: {
    from: number;
    to: number;
    previous: { from: number; to: number } | null;
    interval: Stats['interval'];
    intervals: readonly { from: number }[];
    previousIntervals: readonly { from: number }[];
  };
  total: Metrics;
  previous: Metrics | null;
  isChosen: boolean;
  previousSeries?: readonly Metrics[];
  series: readonly Metrics[];
  dimensions: Partial<Record<StatsDimension, ValueMetrics[]>>;
  parameters: ParameterNames;
  filteredSince?: number | null;
}

/** Statistics of a period. `to` is the last second that belongs to it. */
export function presentStats(
  {
    period,
    total,
    previous,
    isChosen,
    previousSeries,
    series,
    dimensions,
    parameters,
    filteredSince,
  }: Statistics,
  timezone: string,
): Stats {
  const pointsOf = (intervals: readonly { from: number }[], metrics: readonly Metrics[]) =>
    intervals.map(({ from }, index) => ({
      at: presentTimestamp(from, timezone),
      ...presentMetrics(metrics[index]),
    }));
  return {
    from: presentTimestamp(period.from, timezone),
    to: presentTimestamp(period.to - 1000, timezone),
    interval: period.interval,
    ...presentMetrics(total),
    bots: total.bots,
    previous: previous && {
      ...presentMetrics(previous),
      ...(previousSeries && { series: pointsOf(period.previousIntervals, previousSeries) }),
      ...(isChosen &&
        period.previous && {
          from: presentTimestamp(period.previous.from, timezone),
          to: presentTimestamp(period.previous.to - 1000, timezone),
        }),
    },
    series: pointsOf(period.intervals, series),
    dimensions: Object.fromEntries(
      Object.entries(dimensions).map(([name, words]) => [name, words.map(presentWord)]),
    ) as Stats['dimensions'],
    parameters: presentNames(parameters),
    ...(filteredSince !== undefined && {
      filteredsince: filteredSince === null ? null : presentTimestamp(filteredSince, timezone),
    }),
  };
}

/** One of the most visited links of a period. */
export function presentTopLink(row: TopLinkRow, baseUrl: string): z.output<typeof topLink> {
  return {
    id: row.id,
    shorturl: shortUrl(row, baseUrl),
    title: row.title,
    longurl: row.url,
    ...presentMetrics(row),
  };
}

/** The most visited campaigns, channels and domains of a period. */
export function presentTopGroups(
  top: { period: { from: number; to: number } } & Record<LinkGroup, readonly TopGroupRow[]>,
  timezone: string,
  baseUrl: string,
): ReplyOf<typeof getTopGroups>['data'] {
  return {
    from: presentTimestamp(top.period.from, timezone),
    to: presentTimestamp(top.period.to - 1000, timezone),
    campaigns: top.campaigns.map((row) => ({ id: row.id, name: row.name, ...presentMetrics(row) })),
    channels: top.channels.map((row) => ({
      id: row.id,
      name: row.name,
      color: row.color,
      ...presentMetrics(row),
    })),
    domains: top.domains.map((row) => ({
      id: row.id === 0 ? null : row.id,
      domain: domainUrl(row.id === 0 ? null : row.name, baseUrl),
      ...presentMetrics(row),
    })),
  };
}

/** One visit; with the visitor's address only where the instance stores them. */
export function presentClick(row: ClickRow, timezone: string, baseUrl: string): Click {
  return {
    id: row.id,
    link: row.link_id,
    shorturl: shortUrl(row, baseUrl),
    title: row.title,
    date: presentTimestamp(row.at, timezone),
    source: sources[row.source] ?? 'link',
    country: row.country,
    city: row.city,
    referrer: row.referrer + row.referrer_path,
    browser: row.browser,
    os: row.os,
    device: row.device,
    language: row.language,
    bot: row.bot === 1,
    address: row.address,
  };
}

/** Dimensions of `presentLinkFigures`, in this order. */
export const glanceDimensions = [
  'country',
  'referrer',
  'browser',
  'os',
] as const satisfies readonly StatsDimension[];

/** Hosts of the networks that the contract counts apart. */
const networks = {
  facebook: /(^|\.)(facebook\.com|fb\.me|fb\.com)$/,
  twitter: /(^|\.)(twitter\.com|x\.com|t\.co)$/,
  google: /(^|\.)google\.[a-z.]{2,6}$/,
};

/** One link's clicks at a glance (decision 0011). Countries are ISO codes; unknown values are left out. */
export function presentLinkMetrics(
  total: Metrics,
  words: readonly ValueMetrics[][],
): z.output<typeof linkMetrics> {
  const [countries = [], referrers = [], browsers = [], systems = []] = words;
  const from = (pattern: RegExp) =>
    referrers.reduce((sum, { value, clicks }) => sum + (pattern.test(String(value)) ? clicks : 0), 0);
  return {
    clicks: total.clicks,
    uniqueClicks: total.uniqueClicks,
    topCountries: topTen(countries),
    topReferrers: topTen(referrers),
    topBrowsers: topTen(browsers),
    topOs: topTen(systems),
    socialCount: {
      facebook: from(networks.facebook),
      twitter: from(networks.twitter),
      google: from(networks.google),
    },
  };
}

function topTen(words: readonly ValueMetrics[]): Record<string, number> {
  const known = words.filter(({ value }) => value !== '').slice(0, 10);
  return Object.fromEntries(known.map(({ value, clicks }) => [value, clicks]));
}

function presentWord({ value, ...metrics }: ValueMetrics) {
  const text = typeof value === 'number' ? (sources[value] ?? 'link') : value;
  return { value: text, ...presentMetrics(metrics) };
}

function presentMetrics(metrics: Metrics | undefined) {
  return { clicks: metrics?.clicks ?? 0, uniqueclicks: metrics?.uniqueClicks ?? 0 };
}
