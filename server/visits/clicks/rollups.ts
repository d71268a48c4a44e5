import type { Connection } from '../../platform/database/connect.ts';
import type { CountedLink } from '../../platform/events/counted-link.ts';
import {
  type Batch,
  type ClickHour,
  type LinkPart,
  type NewVisitor,
  newBatch,
  type UserMetrics,
} from './batch.ts';
import { boundedCache } from './bounded-cache.ts';
import { dimensions, scopes } from './dimensions.ts';
import { type Metrics, metricsAt, readKey, totalOf } from './hour-metrics.ts';
import { type Progress, rollupQueries } from './rollup-queries.ts';

/** What a step leaves: nothing to count, a batch that was counted to its end, or one that is not written yet. */
export type Counted = 'all' | 'batch' | 'part';

export interface Rollups {
  /**
   * Does a piece of the counting, in one short transaction, for as long as `hasTime` says so and at least a little. After
   * a crash it goes on where it was.
   */
  step(hasTime: () => boolean): Counted;
  /** Clicks that are answered but not counted. */
  waiting(): number;
  /**
   * Has the owner of each link looked up anew, for one that is about to change. False while a batch is half written, whose
   * owners have to stay: then it is to be asked again a moment later.
   */
  forgetOwners(): boolean;
  /** Told after a batch was counted; for live views. */
  onCounted(listener: (links: CountedLink[]) => void): () => void;
}

/** Clicks of one batch: the more of them, the more share a row and a page. */
const clicksPerBatch = 200_000;
/** Hours of links in one batch: memory has to hold the metrics of all of them. */
const linkHoursPerBatch = 50_000;
/** Clicks that are read between two looks at the clock. */
const clicksPerRead = 100;
/** Rows that are written between two looks at the clock. */
const rowsPerLook = 20;

/** A batch that is being written. */
interface Work {
  batch: Batch;
  /** The last click of the batch, which ends earlier where its clicks are of many links, and the last one that was read. */
  end: number;
  read: number;
  /** Whether a crash, perhaps, has left some of it written: it then has to end where it was to end. */
  isBegun: boolean;
  /** What was in the tables when the writing began. */
  done: Progress;
  plan: Plan | undefined;
}

/** What is written, in this order; each list from its cursor on. Long ones are put together as they are written. */
interface Plan {
  linkIds: number[];
  /** Links whose metrics a crash found written have lists of clicks all the same. */
  listedIds: number[];
  users: Iterator<UserMetrics, void>;
  visitors: Iterator<NewVisitor, void>;
  hours: Iterator<ClickHour, void>;
  cursor: { link: number; listed: number; click: number };
}

/**
 * Derives the statistics from the click log. `connection` is the one that the log is written on.
 *
 * Clicks are taken in batches of thousands, as most of the work is rows and pages that many of them share. A batch is
 * written in many short transactions, since redirects wait for each: the metrics of one link after the other, then those of
 * users, each transaction with how far it came. Visitors, hours and lists of clicks follow, which may be written twice, and then
 * the position moves. Whatever is cut short is read from the log again and goes on behind what is written.
 */
export function rollups(connection: Connection): Rollups {
  const queries = rollupQueries(connection);
  const listeners = new Set<(links: CountedLink[]) => void>();
  const owners = boundedCache<number, number>(32_768);
  let work: Work | undefined;

  /** The owner of a link, 0 when the link is gone for good. Whoever changes it calls `forgetOwners` first. */
  function ownerOf(linkId: number): number {
    const known = owners.get(linkId);
    if (known !== undefined) return known;
    const owner = queries.findOwner(linkId);
    // One that is not there may come: after a restore, ids that were given before are given again.
    if (owner !== undefined) owners.set(linkId, owner);
    return owner ?? 0;
  }

  function begin(): Work | undefined {
    const { position, batchEnd, progress } = queries.position();
    const isBegun = batchEnd > position;
    const end = isBegun ? batchEnd : Math.min(queries.lastClick(), position + clicksPerBatch);
    if (end <= position) return undefined;
    const batch = newBatch({ queries, ownerOf });
    const done = isBegun ? progress : { scope: 0, id: 0, hour: 0, key: 0 };
    return { batch, end, read: position, isBegun, done, plan: undefined };
  }

  function readSome(current: Work, hasTime: () => boolean): void {
    const { batch } = current;
    do {
      const clicks = queries.nextClicks(current.read, current.end, clicksPerRead);
      for (const click of clicks) batch.add(click);
      current.read = clicks.length < clicksPerRead ? current.end : (clicks.at(-1)?.[0] ?? current.end);
      if (!current.isBegun && batch.linkHours() >= linkHoursPerBatch) current.end = current.read;
    } while (current.read < current.end && hasTime());
  }

  /** Writes until there is no time left; true when all of the batch is written. */
  function writeSome({ batch, plan, end }: Work & { plan: Plan }, hasTime: () => boolean): boolean {
    const { cursor, linkIds, users, visitors, hours, listedIds } = plan;
    let progress: Progress | undefined;
    while (cursor.link < linkIds.length) {
      const id = linkIds[cursor.link] as number;
      writeLink(id, batch.link(id));
      cursor.link += 1;
      progress = { scope: 0, id, hour: 0, key: 0 };
      if (!hasTime()) return pause(progress);
    }
    let rows = 0;
    const isTimeUp = () => ++rows % rowsPerLook === 0 && !hasTime();
    for (let next = users.next(); !next.done; next = users.next()) {
      const { userId, hour, key, metrics } = next.value;
      addRow(scopes.user, userId, hour, key, metrics);
      progress = { scope: 1, id: userId, hour, key };
      if (isTimeUp()) return pause(progress);
    }
    if (progress) {
      queries.flush();
      queries.setProgress(end, { scope: 2, id: 0, hour: 0, key: 0 });
    }
    for (let next = visitors.next(); !next.done; next = visitors.next()) {
      const { day, scope, id, visitor } = next.value;
      queries.addVisitor(day, scope, id, visitor);
      if (isTimeUp()) return pauseListing();
    }
    for (let next = hours.next(); !next.done; next = hours.next()) {
      const { hour, first, last } = next.value;
      queries.addHour(hour, first, last);
      if (isTimeUp()) return pauseListing();
    }
    while (cursor.listed < listedIds.length) {
      const id = listedIds[cursor.listed] as number;
      const { clickIds } = batch.link(id);
      while (cursor.click < clickIds.length) {
        queries.addLinkClick(id, clickIds[cursor.click] as number);
        cursor.click += 1;
        if (isTimeUp()) return pauseListing();
      }
      cursor.listed += 1;
      cursor.click = 0;
    }
    queries.flush();
    while (queries.sweepVisitors(batch.lastDay() - 1, 10 * rowsPerLook) > 0) if (!hasTime()) return false;
    queries.setPosition(end);
    return true;

    function pause(reached: Progress): boolean {
      queries.flush();
      queries.setProgress(end, reached);
      return false;
    }

    /** What is listed needs no progress: it may be written twice. */
    function pauseListing(): boolean {
      queries.flush();
      return false;
    }
  }

  const write = connection.transaction(writeSome);

  /** Everything that one link's clicks add to the tables, but for the visitors and the list of clicks. */
  function writeLink(id: number, { userId, hours, lastAt }: LinkPart): void {
    let sum = 0;
    let unique = 0;
    for (const { hour, metrics } of hours) {
      for (const [place, key] of metrics.keys.entries()) {
        addRow(scopes.link, id, hour, key, metricsAt(metrics, place));
      }
      const [clicks, uniqueClicks, bots] = totalOf(metrics);
      queries.addMetrics([scopes.user, userId, dimensions.link, hour, id, clicks, uniqueClicks, bots]);
      sum += clicks;
      unique += uniqueClicks;
    }
    if (sum > 0) queries.addToLink(id, sum, unique, lastAt);
  }

  function addRow(scope: number, id: number, hour: number, key: number, metrics: Metrics): void {
    const { dimension, word } = readKey(key);
    queries.addMetrics([scope, id, dimension, hour, word, ...metrics]);
  }

  function tell(batch: Batch): void {
    if (listeners.size === 0) return;
    const links = batch.linkIds().map((linkId): CountedLink => {
      const { userId, clickIds } = batch.link(linkId);
      return { userId, linkId, clickIds };
    });
    if (links.length > 0) for (const listener of listeners) listener(links);
  }

  return {
    step(hasTime) {
      work ??= begin();
      if (!work) return 'all';
      const current = work;
      try {
        if (current.read < current.end) {
          readSome(current, hasTime);
          if (current.read < current.end || !hasTime()) return 'part';
        }
        current.plan ??= planOf(current);
        if (!write.immediate(current as Work & { plan: Plan }, hasTime)) return 'part';
      } catch (error) {
        // The cursors are ahead of what was rolled back: the next step reads the batch anew.
        work = undefined;
        queries.drop();
        throw error;
      }
      work = undefined;
      tell(current.batch);
      return 'batch';
    },
    waiting: () => Math.max(0, queries.lastClick() - queries.position().position),
    forgetOwners() {
      const { position, batchEnd } = queries.position();
      if (batchEnd > position) return false;
      work = undefined;
      owners.clear();
      return true;
    },
    onCounted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What of a batch is to be written, without what a crash found written. */
function planOf({ batch, done }: Work): Plan {
  const isAhead = ({ userId, hour, key }: UserMetrics) =>
    userId !== done.id ? userId > done.id : hour !== done.hour ? hour > done.hour : key > done.key;
  const listedIds = batch.linkIds();
  const users = done.scope === 2 ? [].values() : batch.userMetrics();
  return {
    linkIds: done.scope === 0 ? listedIds.filter((id) => id > done.id) : [],
    listedIds,
    users: done.scope === 1 ? users.filter(isAhead) : users,
    visitors: batch.newVisitors(),
    hours: batch.hours(),
    cursor: { link: 0, listed: 0, click: 0 },
  };
}
