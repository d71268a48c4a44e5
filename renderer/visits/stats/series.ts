import type { Stats } from '../../../server/contract/stats.ts';

type Interval = Stats['interval'];

/**
 * Formats the start of an interval for people. The wire's timestamps are wall clock of the account already, so they
 * are read and written as UTC: no zone may shift them again.
 */
export function intervalFormat(interval: Interval, locale: string, length: 'short' | 'long') {
  const options: Record<Interval, Intl.DateTimeFormatOptions> = {
    hour:
      length === 'short'
        ? { hour: 'numeric', minute: '2-digit' }
        : { dateStyle: 'medium', timeStyle: 'short' },
    day: length === 'short' ? { month: 'short', day: 'numeric' } : { dateStyle: 'full' },
    month: length === 'short' ? { month: 'short', year: 'numeric' } : { month: 'long', year: 'numeric' },
  };
  const format = new Intl.DateTimeFormat(locale, { ...options[interval], timeZone: 'UTC' });
  return (at: string): string => {
    const instant = Date.parse(`${at.replace(' ', 'T')}Z`);
    return Number.isNaN(instant) ? at : format.format(instant);
  };
}

/** The days of a range for its heading, `Oct 22 – Nov 20, 2026`. */
export function rangeText(from: string, to: string, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const start = Date.parse(`${from.replace(' ', 'T')}Z`);
  const end = Date.parse(`${to.replace(' ', 'T')}Z`);
  return Number.isNaN(start) || Number.isNaN(end) ? '' : format.formatRange(start, end);
}

/** The days of an interval that begins at a wall clock reading: the day itself, or all of its month. */
export function daysOf(at: string, interval: Interval): { from: string; to: string } {
  const from = at.slice(0, 10);
  if (interval !== 'month') return { from, to: from };
  const [year = 0, month = 0] = from.split('-').map(Number);
  return { from, to: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) };
}

/** The change against the period before, as a fraction; undefined where there is nothing to compare with. */
export function changeOf(now: number, before: number | undefined): number | undefined {
  if (before === undefined || before === 0) return undefined;
  return (now - before) / before;
}
