import { offsetAt, toUtc } from '../../platform/http/timestamps.ts';

const dayMs = 86_400_000;

/** The latest moment up to `now` at which a daily backup was due: that hour of the day in the instance's time zone. */
export function lastDue(now: number, hour: number, timezone: string): number {
  const today = dueOn(now, 0, hour, timezone);
  return today <= now ? today : dueOn(now, -1, hour, timezone);
}

/** The next such moment after `now`. */
export function nextDue(now: number, hour: number, timezone: string): number {
  const today = dueOn(now, 0, hour, timezone);
  return today > now ? today : dueOn(now, 1, hour, timezone);
}

/**
 * Whether a backup is due: none was made since the last due time. After sleep it is made immediately; if the clock was
 * set back, none is made twice.
 */
export function isDue(now: number, newest: number | undefined, hour: number, timezone: string): boolean {
  return newest === undefined || newest < lastDue(now, hour, timezone);
}

function dueOn(now: number, daysLater: number, hour: number, timezone: string): number {
  const day = Math.floor((now + offsetAt(now, timezone)) / dayMs) + daysLater;
  return toUtc(day * dayMs + hour * 3_600_000, timezone);
}
