import { rejected } from '../errors.ts';
import { timezoneFormatter } from './timezones.ts';

const day = 86_400_000;
const firstTimestamp = Date.UTC(1000, 0, 2);
const lastTimestamp = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Formats a UTC timestamp (milliseconds) as `YYYY-MM-DD HH:MM:SS` in a time zone (contract, "Conventions"). */
export function presentTimestamp(at: number, timezone: string): string {
  const time = boundedTime(at);
  // The last day of one zone is in the year 10000 in another, which does not fit the format.
  const local = Math.min(time + offsetAt(time, timezone), lastTimestamp);
  return new Date(local).toISOString().slice(0, 19).replace('T', ' ');
}

/** A stored time that is none, because somebody damaged it, is shown as 1970: it must not take away whole lists. */
function boundedTime(at: number): number {
  return Number.isFinite(at) ? Math.min(Math.max(at, firstTimestamp), lastTimestamp) : 0;
}

/** The same for an optional timestamp. */
export function presentOptional(at: number | null, timezone: string): string | null {
  return at === null ? null : presentTimestamp(at, timezone);
}

/** Formats a UTC timestamp as `YYYY-MM-DD` in a time zone. */
export function presentDate(at: number, timezone: string): string {
  return presentTimestamp(at, timezone).slice(0, 10);
}

/**
 * Parses a client's date or time, in the account's time zone, to a UTC timestamp (milliseconds). A date without a time
 * is the start or the last second of that day, according to `bare`. Throws 400 for a day that does not exist.
 */
export function parseTimestamp(text: string, timezone: string, bare: 'start' | 'end', field: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
  if (!match) throw invalidTimestamp(field);
  const [, year, month, dayOfMonth, hour, minute, second] = match.map((part) =>
    part === undefined ? undefined : Number(part),
  );
  const midnight = Date.UTC(year as number, (month as number) - 1, dayOfMonth as number);
  const exists = new Date(midnight).toISOString().slice(0, 10) === text.slice(0, 10);
  if (!exists || (year as number) < 1970 || (hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) {
    throw invalidTimestamp(field);
  }
  if (hour === undefined) {
    return bare === 'start' ? toUtc(midnight, timezone) : toUtc(midnight + day, timezone) - 1000;
  }
  return toUtc(midnight + ((hour * 60 + (minute ?? 0)) * 60 + (second ?? 0)) * 1000, timezone);
}

/** Milliseconds to add to a UTC timestamp to get a time zone's wall clock at that time. */
export function offsetAt(at: number, timezone: string): number {
  if (timezone === 'UTC') return 0;
  const parts: Record<string, number> = {};
  for (const { type, value } of timezoneFormatter(timezone).formatToParts(at)) {
    if (type !== 'literal') parts[type] = Number(value);
  }
  const { year = 1970, month = 1, day: dayOfMonth = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, dayOfMonth, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** The UTC timestamp of a wall clock time (given as if it were UTC) in a time zone. */
export function toUtc(wallClock: number, timezone: string): number {
  // The offset depends on the result: the second guess is correct except in the hour skipped by a clock change, where
  // any answer is a convention.
  const guess = wallClock - offsetAt(wallClock, timezone);
  return wallClock - offsetAt(guess, timezone);
}

function invalidTimestamp(field: string) {
  return rejected('invalid_date', field, 'Enter an existing date as YYYY-MM-DD or YYYY-MM-DD HH:MM:SS.');
}
