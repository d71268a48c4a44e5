import { dayMs, hourMs, scopes } from './dimensions.ts';
import { addClick, type HourMetrics, type Metrics, metricsOf, noMetrics } from './hour-metrics.ts';
import { nobody } from './omissions.ts';
import type { LoggedClick, RollupQueries } from './rollup-queries.ts';

/** The clicks of one link in a batch. */
export interface LinkPart {
  readonly userId: number;
  /** Ids of its clicks, oldest first, bots included. */
  readonly clickIds: number[];
  /** Its metrics, hour by hour as the clicks came; clicks that came late may bring an hour once more. */
  readonly hours: LinkHour[];
  /** When somebody last clicked; 0 when all were bots. */
  readonly lastAt: number;
}

/** The metrics of a link in an hour (counted since 1970). */
interface LinkHour {
  readonly hour: number;
  readonly metrics: HourMetrics;
}

/** One of the user's metrics of an hour. */
export interface UserMetrics {
  userId: number;
  hour: number;
  key: number;
  metrics: Metrics;
}

/** A visitor who was not seen on that day before. */
export interface NewVisitor {
  day: number;
  scope: number;
  id: number;
  visitor: number;
}

/** The visitors of a link or a user on one day: all that the batch has, and those who were not seen on that day before. */
interface Visitors {
  readonly day: number;
  readonly seen: Set<number>;
  readonly fresh: number[];
}

/** Where the clicks of an hour lie in the log. */
export interface ClickHour {
  hour: number;
  first: number;
  last: number;
}

/** Clicks of the log that are counted together. */
export interface Batch {
  /** Takes in the next click. One whose link is gone for good is left out. */
  add(click: LoggedClick): void;
  /** How many hours of links it has metrics of, which is what it takes memory for. */
  linkHours(): number;
  /** The ids of the links that have clicks, in ascending order. */
  linkIds(): number[];
  link(id: number): LinkPart;
  /** Metrics of users, in the order of user, hour and key. */
  userMetrics(): IteratorObject<UserMetrics, void>;
  /** Those of links before those of users, each in the order of the id. */
  newVisitors(): IteratorObject<NewVisitor, void>;
  /** Between which ids the clicks of each hour lie. */
  hours(): IteratorObject<ClickHour, void>;
  /** The day of the newest click, counted since 1970. */
  lastDay(): number;
}

interface Options {
  queries: Pick<RollupQueries, 'hasVisitor'>;
  /** The owner of a link, 0 when the link is gone for good. */
  ownerOf: (linkId: number) => number;
}

/** A part while clicks are added to it, with its visitors day by day. */
interface GrowingLink extends LinkPart {
  lastAt: number;
  readonly days: Visitors[];
}

interface GrowingUser {
  readonly hours: Map<number, HourMetrics>;
  readonly days: Visitors[];
}

/**
 * Gathers clicks by link and by user. Nothing is written: whether a visitor is new is looked up, so that a batch that was
 * cut short comes out the same when its clicks are read again. The clicks themselves are not kept, only what they add up to.
 */
export function newBatch({ queries, ownerOf }: Options): Batch {
  const links = new Map<number, GrowingLink>();
  const users = new Map<number, GrowingUser>();
  const clickHours = new Map<number, ClickHour>();
  let linkHours = 0;
  let lastDay = 0;

  function isNew(scope: number, id: number, days: Visitors[], onDay: number, visitor: number): boolean {
    if (visitor === nobody) return false;
    let ofDay = days.at(-1);
    if (ofDay?.day !== onDay) {
      ofDay = days.find((each) => each.day === onDay);
      if (!ofDay) {
        ofDay = { day: onDay, seen: new Set(), fresh: [] };
        days.push(ofDay);
      }
    }
    if (ofDay.seen.has(visitor)) return false;
    ofDay.seen.add(visitor);
    if (queries.hasVisitor(onDay, scope, id, visitor)) return false;
    ofDay.fresh.push(visitor);
    return true;
  }

  function linkOf(id: number, userId: number): GrowingLink {
    let part = links.get(id);
    if (!part) {
      part = { userId, clickIds: [], hours: [], lastAt: 0, days: [] };
      links.set(id, part);
    }
    return part;
  }

  function userOf(id: number): GrowingUser {
    let part = users.get(id);
    if (!part) {
      part = { hours: new Map(), days: [] };
      users.set(id, part);
    }
    return part;
  }

  function hourOfLink({ hours }: GrowingLink, hour: number): HourMetrics {
    const last = hours.at(-1);
    if (last?.hour === hour) return last.metrics;
    const metrics = noMetrics();
    hours.push({ hour, metrics });
    linkHours += 1;
    return metrics;
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
      const visitor = click[3];
      const isPerson = click[5] === 0;
      const hour = Math.floor(at / hourMs);
      const day = Math.floor(at / dayMs);
      lastDay = Math.max(lastDay, day);
      const ofHour = clickHours.get(hour);
      if (ofHour) ofHour.last = id;
      else clickHours.set(hour, { hour, first: id, last: id });
      const userId = ownerOf(linkId);
      if (userId === 0) return;
      const link = linkOf(linkId, userId);
      link.clickIds.push(id);
      if (isPerson && at > link.lastAt) link.lastAt = at;
      const isFirst = isPerson && isNew(scopes.link, linkId, link.days, day, visitor);
      addClick(hourOfLink(link, hour), click, isFirst);
      const user = userOf(userId);
      const isUsersFirst = isPerson && isNew(scopes.user, userId, user.days, day, visitor);
      addClick(hourOfUser(user, hour), click, isUsersFirst);
    },
    linkHours: () => linkHours,
    linkIds: () => sortedKeys(links.keys()),
    link(id) {
      const part = links.get(id);
      if (!part) throw new Error(`the link ${id} is in no click of this batch`);
      return part;
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
    *newVisitors() {
      for (const id of sortedKeys(links.keys())) yield* newOnes(scopes.link, id, links.get(id)?.days);
      for (const id of sortedKeys(users.keys())) yield* newOnes(scopes.user, id, users.get(id)?.days);
    },
    hours: () => clickHours.values(),
    lastDay: () => lastDay,
  };
}

function* newOnes(
  scope: number,
  id: number,
  days: readonly Visitors[] = [],
): IteratorObject<NewVisitor, void> {
  for (const { day, fresh } of days) {
    for (const visitor of fresh) yield { day, scope, id, visitor };
  }
}

/** Sorted as numbers: ten times as fast as with a comparison in script, and redirects wait for it. */
function sortedKeys(keys: Iterable<number>): number[] {
  return [...Float64Array.from(keys).sort()];
}
