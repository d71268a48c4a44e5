import { memoize } from './memoize.ts';

/**
 * Converts a wire timestamp, `YYYY-MM-DD HH:MM:SS` in `timezone`, to an instant. Undefined if the text is not a
 * timestamp or the browser does not know the zone. In the hour that a clock change repeats, returns the earlier
 * instant.
 */
export function instantOf(timestamp: string, timezone: string): Date | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)$/.exec(timestamp);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  try {
    // The offset depends on the instant, which is not known yet: guess with the offset at the wall-clock time as UTC,
    // then correct.
    const guess = asUtc - offsetAt(asUtc, timezone);
    return new Date(asUtc - offsetAt(guess, timezone));
  } catch {
    // The browser does not know this time zone.
    return undefined;
  }
}

/**
 * The wire timestamp of an instant, `YYYY-MM-DD HH:MM:SS` in `timezone`; undefined if the browser does not know the
 * zone.
 */
export function timestampIn(instant: Date, timezone: string): string | undefined {
  try {
    const local = new Date(instant.getTime() + offsetAt(instant.getTime(), timezone));
    return local.toISOString().slice(0, 19).replace('T', ' ');
  } catch {
    // The browser does not know this time zone.
    return undefined;
  }
}

const wallClock = memoize(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
);

/** UTC offset of `timezone` at `instant`, in milliseconds. Throws RangeError for an unknown zone. */
function offsetAt(instant: number, timezone: string): number {
  const part: Record<string, number> = {};
  for (const { type, value } of wallClock(timezone).formatToParts(instant)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** `3 minutes ago`, `yesterday`, `in 2 weeks`, formatted for `locale`; under 45 seconds it is `now`. */
export function relativeTime(instant: Date, now: number, locale: string): string {
  const seconds = Math.round((instant.getTime() - now) / 1000);
  const format = relativeFormat(locale);
  if (Math.abs(seconds) < 45) return format.format(0, 'second');
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length * 0.95) return format.format(Math.round(seconds / length), unit);
  }
  return format.format(Math.sign(seconds), 'minute');
}

const relativeFormat = memoize((locale: string) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
