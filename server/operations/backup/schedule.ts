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
 * Whether a backup has to be made now: none was since the last due moment. A machine that slept through it makes up for
 * it at once, a clock that was set back makes none twice.
 */
export function isDue(now: number, newest: number | undefined, hour: number, timezone: string): boolean {
  return newest === undefined || newest < lastDue(now, hour, timezone);
}

function dueOn(now: number, daysLater: number, hour: number, timezone: string): number {
  const day = Math.floor((now + offsetAt(now, timezone)) / dayMs) + daysLater;
  return toUtc(day * dayMs + hour * 3_600_000, timezone);
}
