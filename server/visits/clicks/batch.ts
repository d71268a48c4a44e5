import { addToTable, type ClickTable, firstWord, startOf } from './click-table.ts';
import { dayMs, hourMs, scopes } from './dimensions.ts';
import { addClick, type HourMetrics, type Metrics, metricsOf, noMetrics } from './hour-metrics.ts';
import { type NumberIndex, numberIndex } from './number-index.ts';
import { nobody } from './omissions.ts';
import type { LoggedClick, RollupQueries } from './rollup-queries.ts';

/** The clicks of one link in a batch, aggregated in order. */
export interface LinkSum {
  readonly id: number;
  readonly userId: number;
  /** The time of the latest click by a person; 0 if all were bots. */
  readonly lastAt: number;
  /** Adds the next click, oldest first, including bots; returns its id, and 0 after the last one. */
  next(): number;
  /** The metrics of the added clicks, hour by hour; late clicks may repeat an hour. */
  readonly hours: readonly LinkHour[];
  /** The visitors, by day. */
  readonly days: readonly Visitors[];
}

/** The metrics of a link in an hour (counted since 1970). */
interface LinkHour {
  readonly hour: number;
  readonly metrics: HourMetrics;
}

/** One of the user's metrics for an hour. */
interface UserMetrics {
  userId: number;
  hour: number;
  key: number;
  metrics: Metrics;
}

/** The visitors of a link or user on one day: all in the batch, and those not seen before on that day. */
export interface Visitors {
  readonly day: number;
  readonly seen: NumberIndex;
  readonly fresh: number[];
}

/** The position of an hour's clicks in the log. */
interface ClickHour {
  hour: number;
  first: number;
  last: number;
}

/** Clicks of the log that are counted together. */
export interface Batch {
  /** Adds the next click. Clicks of deleted links are skipped. */
  add(click: LoggedClick): void;
  /** How many link hours its clicks belong to, which is roughly the number of rows to write. */
  linkHours(): number;
  /** The ids of the links that have clicks, in ascending order. */
  linkIds(): Float64Array;
  /** Starts aggregating the clicks of a link. */
  sumOf(linkId: number): LinkSum;
  /** Metrics of users, ordered by user, hour and key. */
  userMetrics(): IteratorObject<UserMetrics, void>;
  /** The users who have clicks, with their visitors. */
  users(): IteratorObject<{ userId: number; days: readonly Visitors[] }, void>;
  /** The id range of each hour's clicks. */
  hours(): IteratorObject<ClickHour, void>;
  /** The day of the newest click, in days since 1970. */
  lastDay(): number;
}

interface Options {
  queries: Pick<RollupQueries, 'hasVisitor'>;
  /** The owner of a link, 0 if the link no longer exists. */
  ownerOf: (linkId: number) => number;
  /** Empty, with room for all clicks of the batch. */
  table: ClickTable;
}

interface GrowingUser {
  readonly hours: Map<number, HourMetrics>;
  readonly days: Visitors[];
}

const hoursPerDay = dayMs / hourMs;

/**
 * Groups clicks by link, and aggregates those of users. Nothing is written: new visitors are determined by look-ups,
 * so that an interrupted batch gives the same result when its clicks are read again. A link's aggregates are created
 * when they are written, so that they are short-lived.
 */
export function newBatch({ queries, ownerOf, table }: Options): Batch {
  const links = numberIndex();
  const users = new Map<number, GrowingUser>();
  const clickHours = new Map<number, ClickHour>();
  let linkHours = 0;
  let lastDay = 0;

  function isNew(scope: number, id: number, days: Visitors[], onDay: number, visitor: number): boolean {
    if (visitor === nobody) return false;
    const { seen, fresh } = visitorsOf(days, onDay);
    const before = seen.size();
    if (seen.placeOf(visitor) < before) return false;
    if (queries.hasVisitor(onDay, scope, id, visitor)) return false;
    fresh.push(visitor);
    return true;
  }

  function userOf(id: number): GrowingUser {
    let part = users.get(id);
    if (!part) {
      part = { hours: new Map(), days: [] };
      users.set(id, part);
    }
    return part;
  }

  function hourOfUser({ hours }: GrowingUser, hour: number): HourMetrics {
    let metrics = hours.get(hour);
    if (!metrics) {
      metrics = noMetrics();
      hours.set(hour, metrics);
    }
    return metrics;
  }

  return {
    add(click) {
      const id = click[0];
      const linkId = click[1];
      const at = click[2];
      const isPerson = click[4] === 0;
      const hour = Math.floor(at / hourMs);
      const day = Math.floor(at / dayMs);
      lastDay = Math.max(lastDay, day);
      const ofHour = clickHours.get(hour);
      if (ofHour) ofHour.last = id;
      else clickHours.set(hour, { hour, first: id, last: id });
      const userId = ownerOf(linkId);
      if (userId === 0) return;
      const known = links.size();
      const link = links.placeOf(linkId);
      if (link === known) {
        table.firsts[link] = table.lasts[link] = 0;
        table.owners[link] = userId;
        table.lastAts[link] = 0;
      }
      const before = table.lasts[link] as number;
      if (before === 0 || table.numbers[startOf(before - 1)] !== hour) linkHours += 1;
      const start = addToTable(table, click, hour, link);
      if (isPerson && at > (table.lastAts[link] as number)) table.lastAts[link] = at;
      const user = userOf(userId);
      const isFirst = isPerson && isNew(scopes.user, userId, user.days, day, click[3]);
      addClick(hourOfUser(user, hour), table.numbers, start + firstWord, !isPerson, isFirst);
    },
    linkHours: () => linkHours,
    linkIds: () => links.values().toSorted(),
    sumOf(linkId) {
      const link = links.placeOf(linkId);
      const hours: LinkHour[] = [];
      const days: Visitors[] = [];
      let next = table.firsts[link] as number;
      return {
        id: linkId,
        userId: table.owners[link] as number,
        lastAt: table.lastAts[link] as number,
        hours,
        days,
        next() {
          if (next === 0) return 0;
          const click = next - 1;
          const { numbers } = table;
          const start = startOf(click);
          const hour = numbers[start] as number;
          const isPerson = numbers[start + 1] === 0;
          next = numbers[start + 2] as number;
          const day = Math.floor(hour / hoursPerDay);
          const isFirst = isPerson && isNew(scopes.link, linkId, days, day, table.visitors[click] as number);
          let last = hours.at(-1);
          if (last?.hour !== hour) {
            last = { hour, metrics: noMetrics() };
            hours.push(last);
          }
          addClick(last.metrics, numbers, start + firstWord, !isPerson, isFirst);
          return table.ids[click] as number;
        },
      };
    },
    *userMetrics() {
      for (const userId of sortedKeys(users.keys())) {
        const { hours } = users.get(userId) as GrowingUser;
        for (const hour of sortedKeys(hours.keys())) {
          const ofHour = hours.get(hour) as HourMetrics;
          for (const key of sortedKeys(ofHour.keys)) {
            yield { userId, hour, key, metrics: metricsOf(ofHour, key) };
          }
        }
      }
    },
    users: () => users.entries().map(([userId, { days }]) => ({ userId, days })),
    hours: () => clickHours.values(),
    lastDay: () => lastDay,
  };
}

function visitorsOf(days: Visitors[], onDay: number): Visitors {
  const last = days.at(-1);
  if (last?.day === onDay) return last;
  let ofDay = days.find(({ day }) => day === onDay);
  if (!ofDay) {
    ofDay = { day: onDay, seen: numberIndex(), fresh: [] };
    days.push(ofDay);
  }
  return ofDay;
}

/** Sorted as numbers: ten times as fast as with a comparison function, and redirects wait for it. */
function sortedKeys(keys: Iterable<number>): Float64Array {
  return Float64Array.from(keys).sort();
}
