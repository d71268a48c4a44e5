import { type StatsPeriod, statsPeriods } from '../../../server/contract/stats.ts';

/** A range of whole days, inclusive (`YYYY-MM-DD`). */
export interface StatsDays {
  readonly from: string;
  readonly to: string;
}

/** The range of the statistics: a period ending now, or whole days. */
export type StatsRange = { readonly period: StatsPeriod } | StatsDays;

export const defaultRange: StatsRange = { period: '30d' };

export function isCustomRange(range: StatsRange): range is StatsDays {
  return 'from' in range;
}

/** The query of getStats and getLinkStats. */
export function statsQueryOf(range: StatsRange, bots: boolean) {
  return {
    ...(isCustomRange(range) ? { from: range.from, to: range.to } : { period: range.period }),
    ...(bots && { bots: '1' as const }),
  };
}

/** Validates a stored range; falls back to the default. */
export function readRange(value: unknown): StatsRange {
  if (typeof value !== 'object' || value === null) return defaultRange;
  const { period, from, to } = value as Record<string, unknown>;
  const days = readDays(from, to);
  if (days) return days;
  const known = statsPeriods.find((candidate) => candidate === period);
  return known ? { period: known } : defaultRange;
}

/** Validates two dates, in either order; undefined if one is invalid. */
export function readDays(from: unknown, to: unknown): StatsDays | undefined {
  if (!isDay(from) || !isDay(to)) return undefined;
  return from <= to ? { from, to } : { from: to, to: from };
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
}
