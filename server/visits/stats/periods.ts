import type { StatsPeriod } from '../../contract/stats.ts';
import { rejected } from '../../platform/errors.ts';
import { offsetAt, parseTimestamp, toUtc } from '../../platform/http/timestamps.ts';
import { dayMs, hourMs } from '../clicks/dimensions.ts';

type IntervalLength = 'hour' | 'day' | 'month';

/** A span of time, in UTC milliseconds; `to` is not part of it. */
export interface Span {
  from: number;
  to: number;
}

/** What statistics are asked for. */
export interface Period extends Span {
  interval: IntervalLength;
  /** The intervals in order, without gaps. */
  intervals: Span[];
  /** The period to compare with: the chosen one, else that of the same length before this one; null for "all". */
  previous: Span | null;
  /** The intervals of that period. */
  previousIntervals: Span[];
}

export interface PeriodQuery {
  period: StatsPeriod;
  from?: string | undefined;
  to?: string | undefined;
  /** First and last day of a second period. */
  comparefrom?: string | undefined;
  compareto?: string | undefined;
}

interface Context {
  now: number;
  timezone: string;
  /** The first counted moment; what "all" begins with. */
  firstAt: number | undefined;
}

/** Days up to which a range is shown by hours, and by days. */
const longestByHour = 2;
const longestByDay = 120;
/** Days of the longest range: 20 years are 240 months, and each has to be found in the time zone. */
const longestRange = 7_305;
const periodDays: Partial<Record<StatsPeriod, number>> = { '7d': 7, '30d': 30, '90d': 90 };

/**
 * The period of a query, cut into local hours, days or months of a time zone. A named period ends with the current
 * hour, day or month. Throws 400 when `to` is before `from`, a day does not exist, or a range is longer than 20 years.
 */
export function readPeriod(query: PeriodQuery, context: Context): Period {
  const zone = localTime(context.timezone);
  const first = readFirst(query, context, zone);
  return isCompared(query) ? besideChosen(first, query, zone) : first;
}

/** Whether a query names a second period. */
export function isCompared({ comparefrom, compareto }: PeriodQuery): boolean {
  return comparefrom !== undefined || compareto !== undefined;
}

function readFirst(query: PeriodQuery, { now, firstAt }: Context, zone: LocalTime): Period {
  if (query.from !== undefined || query.to !== undefined) return readRange(query, now, zone);
  if (query.period === '24h') {
    const to = Math.floor(zone.toLocal(now) / hourMs) * hourMs + hourMs;
    return period(zone, 'hour', to - 24 * hourMs, to, to - 48 * hourMs);
  }
  const tomorrow = startOfDay(zone.toLocal(now)) + dayMs;
  if (query.period === '12m') {
    const to = addMonths(zone.toLocal(now), 1);
    return period(zone, 'month', addMonths(to, -12), to, addMonths(to, -24));
  }
  const days = periodDays[query.period];
  if (days !== undefined) {
    return period(zone, 'day', tomorrow - days * dayMs, tomorrow, tomorrow - 2 * days * dayMs);
  }
  const from = startOfDay(zone.toLocal(Math.min(firstAt ?? now, now)));
  const interval = lengthFor((tomorrow - from) / dayMs);
  return period(zone, interval, interval === 'month' ? addMonths(from, 0) : from, tomorrow, null);
}

/**
 * The moments between two days of a time zone, both of them included; null where a side is open. Throws 400 as
 * `readPeriod`.
 */
export function readDays(
  query: Pick<PeriodQuery, 'from' | 'to'>,
  { now, timezone }: Pick<Context, 'now' | 'timezone'>,
): { from: number | null; to: number | null } {
  const from = query.from === undefined ? null : parseTimestamp(query.from, timezone, 'start', 'from');
  const to = query.to === undefined ? null : parseTimestamp(query.to, timezone, 'end', 'to') + 1000;
  if (from !== null && to !== null && to <= from) {
    throw rejected('invalid_range', 'to', 'Choose an end date on or after the start date.');
  }
  if (from !== null && (to ?? now) - from > (longestRange + 1) * dayMs) {
    throw rejected('invalid_range', 'from', 'Choose a range of at most 20 years.');
  }
  return { from, to };
}

function readRange({ from, to }: PeriodQuery, now: number, zone: LocalTime): Period {
  const dayOf = (text: string, field: string) =>
    zone.toLocal(parseTimestamp(text, zone.name, 'start', field));
  const last = to === undefined ? startOfDay(zone.toLocal(now)) : dayOf(to, 'to');
  const first = from === undefined ? last - 29 * dayMs : dayOf(from, 'from');
  if (last < first) throw rejected('invalid_range', 'to', 'Choose an end date on or after the start date.');
  const end = last + dayMs;
  if (end - first > longestRange * dayMs) {
    const field = from === undefined ? 'to' : 'from';
    throw rejected('invalid_range', field, 'Choose a range of at most 20 years.');
  }
  return period(zone, lengthFor((end - first) / dayMs), first, end, first - (end - first));
}

/** The period beside any days that were chosen; the longer of the two says how long the intervals of both are. */
function besideChosen(first: Period, { comparefrom, compareto }: PeriodQuery, zone: LocalTime): Period {
  const [firstFrom, firstTo] = [zone.toLocal(first.from), zone.toLocal(first.to)];
  const days = Math.max(1, Math.round((firstTo - firstFrom) / dayMs));
  const dayOf = (text: string, field: string) =>
    zone.toLocal(parseTimestamp(text, zone.name, 'start', field));
  const begin = comparefrom === undefined ? undefined : dayOf(comparefrom, 'comparefrom');
  const last = compareto === undefined ? undefined : dayOf(compareto, 'compareto');
  const from = begin ?? (last ?? 0) - (days - 1) * dayMs;
  const end = last === undefined ? from + days * dayMs : last + dayMs;
  if (end <= from) {
    throw rejected('invalid_range', 'compareto', 'Choose an end date on or after the start date.');
  }
  if (end - from > longestRange * dayMs) {
    const field = comparefrom === undefined ? 'compareto' : 'comparefrom';
    throw rejected('invalid_range', field, 'Choose a range of at most 20 years.');
  }
  const interval = coarser(first.interval, lengthFor((end - from) / dayMs));
  return {
    ...first,
    interval,
    intervals: interval === first.interval ? first.intervals : cut(zone, interval, firstFrom, firstTo),
    previous: { from: zone.toUtc(from), to: zone.toUtc(end) },
    previousIntervals: cut(zone, interval, from, end),
  };
}

function coarser(one: IntervalLength, other: IntervalLength): IntervalLength {
  const lengths: readonly IntervalLength[] = ['hour', 'day', 'month'];
  return lengths.indexOf(one) > lengths.indexOf(other) ? one : other;
}

function lengthFor(days: number): IntervalLength {
  if (days <= longestByHour) return 'hour';
  return days <= longestByDay ? 'day' : 'month';
}

/** Builds a period from wall clock readings (given as if they were UTC). */
function period(
  zone: LocalTime,
  interval: IntervalLength,
  from: number,
  to: number,
  previousFrom: number | null,
): Period {
  const start = zone.toUtc(from);
  const previous = previousFrom === null ? null : { from: zone.toUtc(previousFrom), to: start };
  return {
    from: start,
    to: zone.toUtc(to),
    interval,
    intervals: cut(zone, interval, from, to),
    previous,
    previousIntervals: previousFrom === null ? [] : cut(zone, interval, previousFrom, from),
  };
}

function cut(zone: LocalTime, interval: IntervalLength, from: number, to: number): Span[] {
  const start = zone.toUtc(from);
  const end = zone.toUtc(to);
  const intervals: Span[] = [];
  if (interval === 'hour') {
    // Hours are consecutive, regardless of daylight saving time.
    for (let at = start; at < end; at += hourMs) intervals.push({ from: at, to: Math.min(at + hourMs, end) });
  } else {
    const next = (local: number) => (interval === 'day' ? local + dayMs : addMonths(local, 1));
    for (let local = from; local < to; local = next(local)) {
      intervals.push({ from: zone.toUtc(local), to: zone.toUtc(Math.min(next(local), to)) });
    }
  }
  return intervals;
}

interface LocalTime {
  name: string;
  /** The wall clock at a UTC moment, as if it were UTC. */
  toLocal(at: number): number;
  toUtc(local: number): number;
}

function localTime(timezone: string): LocalTime {
  return {
    name: timezone,
    toLocal: (at) => at + offsetAt(at, timezone),
    toUtc: (local) => toUtc(local, timezone),
  };
}

function startOfDay(local: number): number {
  return Math.floor(local / dayMs) * dayMs;
}

/** The first day of the month that is `months` after the one of a wall clock reading. */
function addMonths(local: number, months: number): number {
  const date = new Date(local);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}
