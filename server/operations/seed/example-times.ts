import { dayMs, hourMs } from '../../visits/clicks/dimensions.ts';
import type { Draws } from './random.ts';

/** Shares of a day's clicks by the visitor's local hour: asleep, morning, lunch, a long evening. */
const hours = [
  1.2, 0.7, 0.4, 0.3, 0.4, 0.9, 2, 3.6, 5, 5.6, 5.8, 5.6, 6, 5.7, 5.2, 5, 5, 5.2, 5.6, 6.2, 6.8, 6.4, 4.6,
  2.6,
];
/** Shares by weekday, Sunday first. */
const weekdays = [0.62, 1.06, 1.16, 1.14, 1.1, 0.98, 0.66];

/** Draws moments before `now` over so many days: more every week, fewer on weekends, some days with a peak. */
export function exampleTimes(now: number, days: number, random: Draws): (offsetHours: number) => number {
  const today = Math.floor(now / dayMs);
  const byDay = Array.from({ length: days }, (_, index) => {
    const day = today - days + 1 + index;
    const weekday = weekdays[new Date(day * dayMs).getUTCDay()] ?? 1;
    const growth = 0.35 + (0.65 * (index + 1)) / days;
    const peak = random.next() < 0.04 ? 1.8 + random.next() : 0.85 + 0.3 * random.next();
    return [day, weekday * growth * peak] as const;
  });
  const byHour = hours.map((weight, hour) => [hour, weight] as const);
  return (offsetHours) => {
    for (;;) {
      const local = random.weighted(byDay) * dayMs + random.weighted(byHour) * hourMs + random.below(hourMs);
      const at = Math.round(local - offsetHours * hourMs);
      // Today is not over yet.
      if (at < now) return at;
    }
  };
}
