import type { Condition } from '../../contract/rules.ts';
import { offsetAt } from '../../platform/http/timestamps.ts';

/** The value of a `schedule` condition. */
type Schedule = Exclude<Extract<Condition['value'], object>, readonly unknown[]>;

/**
 * Whether a timestamp (UTC milliseconds) is within a schedule: days (Monday is 1) and hours in a time zone (decision
 * 0021). Hours across midnight (22:00 to 06:00) belong to the day on which they start.
 */
export function scheduleCheck(schedule: Schedule): (at: number) => boolean {
  const { days, timezone = 'UTC' } = schedule;
  const from = schedule.from === undefined ? 0 : minutes(schedule.from);
  const to = schedule.to === undefined ? 24 * 60 : minutes(schedule.to);
  const allows = (day: number) => !days || days.length === 0 || days.includes(day);
  const isMet = ({ day, minute }: LocalTime) => {
    if (from < to) return allows(day) && minute >= from && minute < to;
    if (minute >= from) return allows(day);
    return minute < to && allows(day === 1 ? 7 : day - 1);
  };
  // Looking up the time in a zone takes longer than the rest of a redirect: once a minute is enough.
  let lastMinute = Number.NaN;
  let lastResult = false;
  return (at) => {
    const minute = Math.floor(at / 60_000);
    if (minute !== lastMinute) {
      const local = readLocalTime(at, timezone);
      lastResult = local !== undefined && isMet(local);
      lastMinute = minute;
    }
    return lastResult;
  };
}

interface LocalTime {
  day: number;
  /** Minutes of the day. */
  minute: number;
}

function readLocalTime(at: number, timezone: string): LocalTime | undefined {
  try {
    const local = new Date(at + offsetAt(at, timezone));
    return { day: local.getUTCDay() || 7, minute: local.getUTCHours() * 60 + local.getUTCMinutes() };
  } catch {
    // An unknown time zone: the condition is not met.
    return undefined;
  }
}

/** Converts `HH:MM` to minutes since midnight. */
function minutes(text: string): number {
  const [hours, rest] = text.split(':').map(Number);
  return (hours ?? Number.NaN) * 60 + (rest ?? Number.NaN);
}
