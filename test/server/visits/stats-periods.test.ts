import { describe, expect, test } from 'vitest';
import { presentTimestamp } from '../../../server/platform/http/timestamps.ts';
import { type PeriodQuery, readPeriod } from '../../../server/visits/stats/periods.ts';

const now = Date.UTC(2027, 2, 31, 10, 30);

function periodOf(query: Partial<PeriodQuery>, timezone = 'UTC', at = now) {
  const period = readPeriod(
    { period: '30d', ...query },
    { now: at, timezone, firstAt: Date.UTC(2026, 0, 20, 9) },
  );
  const show = (timestamp: number) => presentTimestamp(timestamp, timezone);
  return {
    interval: period.interval,
    from: show(period.from),
    to: show(period.to),
    count: period.intervals.length,
    previous: period.previous && [show(period.previous.from), show(period.previous.to)],
    intervals: period.intervals,
  };
}

describe('a period', () => {
  test('of 24 hours ends with the current hour', () => {
    expect(periodOf({ period: '24h' })).toMatchObject({
      interval: 'hour',
      count: 24,
      from: '2027-03-30 11:00:00',
      to: '2027-03-31 11:00:00',
      previous: ['2027-03-29 11:00:00', '2027-03-30 11:00:00'],
    });
  });

  test.each([
    ['7d', 7, '2027-03-25', '2027-03-18'],
    ['30d', 30, '2027-03-02', '2027-01-31'],
    ['90d', 90, '2027-01-01', '2026-10-03'],
  ] as const)('of %s ends with today', (period, count, from, before) => {
    expect(periodOf({ period })).toMatchObject({
      interval: 'day',
      count,
      from: `${from} 00:00:00`,
      to: '2027-04-01 00:00:00',
      previous: [`${before} 00:00:00`, `${from} 00:00:00`],
    });
  });

  test('of 12 months ends with this month', () => {
    expect(periodOf({ period: '12m' })).toMatchObject({
      interval: 'month',
      count: 12,
      from: '2026-04-01 00:00:00',
      to: '2027-04-01 00:00:00',
      previous: ['2025-04-01 00:00:00', '2026-04-01 00:00:00'],
    });
  });

  test('of everything begins with the first click and has nothing before', () => {
    expect(periodOf({ period: 'all' })).toMatchObject({
      interval: 'month',
      from: '2026-01-01 00:00:00',
      to: '2027-04-01 00:00:00',
      previous: null,
    });
  });

  test('of selected days includes both of them', () => {
    expect(periodOf({ from: '2027-02-01', to: '2027-02-28' })).toMatchObject({
      interval: 'day',
      count: 28,
      from: '2027-02-01 00:00:00',
      to: '2027-03-01 00:00:00',
      previous: ['2027-01-04 00:00:00', '2027-02-01 00:00:00'],
    });
    expect(periodOf({ from: '2027-02-01', to: '2027-02-01' })).toMatchObject({ interval: 'hour', count: 24 });
    expect(periodOf({ from: '2025-01-15', to: '2026-03-20' })).toMatchObject({
      interval: 'month',
      count: 15,
    });
  });

  /** The two periods of a query, in days or months, and how they are cut. */
  function compared(query: Partial<PeriodQuery>, timezone = 'UTC') {
    const context = { now, timezone, firstAt: undefined };
    const { interval, intervals, previous, previousIntervals } = readPeriod(
      { period: '30d', ...query },
      context,
    );
    const days = previous && [previous.from, previous.to - 1000].map((at) => presentTimestamp(at, timezone));
    return { interval, counts: [intervals.length, previousIntervals.length], days };
  }

  test('can be compared with any other, of the same length unless its end is given, too', () => {
    const february = { from: '2027-02-01', to: '2027-02-28' };
    expect(compared({ ...february, comparefrom: '2026-02-01' })).toEqual({
      interval: 'day',
      counts: [28, 28],
      days: ['2026-02-01 00:00:00', '2026-02-28 23:59:59'],
    });
    expect(compared({ ...february, comparefrom: '2027-02-15', compareto: '2027-03-16' })).toEqual({
      interval: 'day',
      counts: [28, 30],
      days: ['2027-02-15 00:00:00', '2027-03-16 23:59:59'],
    });
    expect(compared({ ...february, compareto: '2026-12-31' }).days?.[0]).toBe('2026-12-04 00:00:00');
    expect(compared({ period: 'all', comparefrom: '2025-03-01' }).days).not.toBeNull();
  });

  test('is split like the longer of the two', () => {
    const day = { from: '2027-02-01', to: '2027-02-01' };
    expect(compared({ ...day, comparefrom: '2026-02-01' })).toMatchObject({
      interval: 'hour',
      counts: [24, 24],
    });
    expect(compared({ ...day, comparefrom: '2026-02-01', compareto: '2026-02-28' })).toMatchObject({
      interval: 'day',
      counts: [1, 28],
    });
    expect(compared({ comparefrom: '2025-01-01', compareto: '2026-12-31' }, 'Europe/Berlin')).toMatchObject({
      interval: 'month',
      counts: [1, 24],
    });
  });

  test('cannot be compared with one that ends before it begins or is longer than 20 years', () => {
    expect(() => compared({ comparefrom: '2026-02-02', compareto: '2026-02-01' })).toThrow('end date');
    expect(() => compared({ comparefrom: '1990-01-01', compareto: '2026-02-01' })).toThrow('20 years');
  });

  test('that ends before it begins, or on a day that does not exist, is refused', () => {
    expect(() => periodOf({ from: '2027-02-02', to: '2027-02-01' })).toThrow('end date');
    expect(() => periodOf({ from: '2027-02-30' })).toThrow('existing date');
  });

  test('has days of 23 and 25 hours when clocks change', () => {
    const spring = periodOf({ from: '2027-03-27', to: '2027-03-29' }, 'Europe/Berlin').intervals;
    expect(spring.map(({ from, to }) => (to - from) / 3_600_000)).toEqual([24, 23, 24]);
    const autumn = periodOf({ from: '2026-10-24', to: '2026-10-26' }, 'Europe/Berlin').intervals;
    expect(autumn.map(({ from, to }) => (to - from) / 3_600_000)).toEqual([24, 25, 24]);
  });

  test.each([
    'UTC',
    'America/New_York',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Pacific/Chatham',
    'America/St_Johns',
    'Pacific/Kiritimati',
  ])('has no gaps or overlaps in %s', (timezone) => {
    for (const period of ['24h', '7d', '30d', '90d', '12m', 'all'] as const) {
      const { intervals } = periodOf({ period }, timezone);
      for (const [index, { from }] of intervals.entries()) {
        if (index > 0) expect(from).toBe(intervals[index - 1]?.to);
      }
    }
  });
});
