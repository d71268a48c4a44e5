import type { Stats } from '../../../server/contract/stats.ts';

type Interval = Stats['interval'];

/**
 * Returns a formatter for the start of an interval. Wire timestamps are already wall-clock time of the account, so they
 * are parsed and formatted as UTC to prevent another conversion.
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

/** A date range for headings: `Oct 22 – Nov 20, 2026`. */
export function rangeText(from: string, to: string, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const start = Date.parse(`${from.replace(' ', 'T')}Z`);
  const end = Date.parse(`${to.replace(' ', 'T')}Z`);
  return Number.isNaN(start) || Number.isNaN(end) ? '' : format.formatRange(start, end);
}

/** The dates of the interval starting at `at`: the day itself, or the whole month. */
export function daysOf(at: string, interval: Interval): { from: string; to: string } {
  const from = at.slice(0, 10);
  if (interval !== 'month') return { from, to: from };
  const [year = 0, month = 0] = from.split('-').map(Number);
  return { from, to: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) };
}

/** The change from the previous period as a fraction; undefined if there is nothing to compare with. */
export function changeOf(now: number, before: number | undefined): number | undefined {
  if (before === undefined || before === 0) return undefined;
  return (now - before) / before;
}
