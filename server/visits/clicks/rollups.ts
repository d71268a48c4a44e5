import { boundedCache } from '../../platform/concurrency/bounded-cache.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type CountedLink, newestClicks } from '../../platform/events/counted-link.ts';
import { type Batch, type LinkSum, newBatch, type Visitors } from './batch.ts';
import { clearTable, newClickTable } from './click-table.ts';
import { dimensions, scopes } from './dimensions.ts';
import { type Metrics, metricsAt, readKey, totalOf } from './hour-metrics.ts';
import { type Progress, rollupQueries } from './rollup-queries.ts';

/** The result of a step: nothing to count, a completed batch, or one that is not completely written. */
export type Counted = 'all' | 'batch' | 'part';

export interface Rollups {
  /**
   * Counts some clicks, in one short transaction, for as long as `hasTime` allows and at least a little. After a crash
   * it resumes where it was.
   */
  step(hasTime: () => boolean): Counted;
  /** Clicks that are answered but not counted. */
  waiting(): number;
  /**
   * Forgets the cached owners of links before one changes. False while a batch is partly written, whose owners must
   * not change: try again a moment later.
   */
  forgetOwners(): boolean;
  /** Called after links were counted, some at a time; for live views and webhooks. */
  onCounted(listener: (links: CountedLink[]) => void): () => void;
}

/** Clicks per batch: in larger batches, more of them share rows and pages. */
const clicksPerBatch = 200_000;
/** Link hours per batch: sorting the links must be quick, and their owners must fit in memory. */
const linkHoursPerBatch = 50_000;
/** Clicks read between two checks of the clock. */
const clicksPerRead = 100;
/** Rows written between two checks of the clock. */
const rowsPerLook = 20;

/** A batch that is being counted. */
interface Work {
  batch: Batch;
  /** The last click of the batch, which ends earlier if its clicks belong to many links, and the last one read. */
  end: number;
  read: number;
  /** Whether it may have been partly written before a crash: it then has to end where it was meant to. */
  isBegun: boolean;
  /** The progress in the tables when writing started, and the current progress. */
  done: Progress;
  reached: Progress;
  /** Writes a few rows per step, once all clicks are read. */
  writing: Iterator<void, void> | undefined;
  /** Links counted in the current slice. */
  counted: CountedLink[];
}

/**
 * Derives the statistics from the click log. `connection` is the one that writes the log. Clicks are processed in
 * batches of thousands, as most of the work is rows and pages that many of them share. A batch is written in many
 * short transactions, since redirects wait for each: link by link, then the metrics of users, each transaction with
 * the progress of the metrics. An interrupted batch is read from the log again and continues after the metrics already
 * written; visitors and click lists may be written twice. New visitors are written only after the metrics that count
 * them, or nobody would be new when the clicks are read again.
 */
export function rollups(connection: Connection): Rollups {
  const queries = rollupQueries(connection);
  const listeners = new Set<(links: CountedLink[]) => void>();
  const owners = boundedCache<number, number>(32_768);
  const table = newClickTable();
  let work: Work | undefined;
  /** Rows written since the last check of the clock. */
  let rows = 0;

  /** The owner of a link, 0 if it no longer exists. Code that changes it calls `forgetOwners` first. */
  function ownerOf(linkId: number): number {
    const known = owners.get(linkId);
    if (known !== undefined) return known;
    const owner = queries.findOwner(linkId);
    // Missing ids may appear later: after a restore, ids are assigned again.
    if (owner !== undefined) owners.set(linkId, owner);
    return owner ?? 0;
  }

  function begin(): Work | undefined {
    const { position, batchEnd, progress } = queries.position();
    const isBegun = batchEnd > position;
    const end = isBegun ? batchEnd : Math.min(queries.lastClick(), position + clicksPerBatch);
    if (end <= position) return undefined;
    clearTable(table, end - position);
    const batch = newBatch({ queries, ownerOf, table });
    const done = isBegun ? progress : { scope: 0, id: 0, hour: 0, key: 0 };
    return { batch, end, read: position, isBegun, done, reached: done, writing: undefined, counted: [] };
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

  /** Writes a batch. The transaction may end at every yield. */
  function* writeAll(current: Work): Generator<void, void> {
    const { batch, done } = current;
    for (const id of batch.linkIds()) {
      // The link may have been deleted since its clicks were read; its remaining data is deleted then.
      if (queries.findOwner(id) !== undefined) yield* writeLink(current, id);
    }
    if (done.scope < 2) {
      for (const { userId, hour, key, metrics } of batch.userMetrics()) {
        if (done.scope === 1 && !isAhead({ id: userId, hour, key }, done)) continue;
        addRow(scopes.user, userId, hour, key, metrics);
        current.reached = { scope: 1, id: userId, hour, key };
        if (isLook()) yield;
      }
      current.reached = { scope: 2, id: 0, hour: 0, key: 0 };
      yield;
    }
    for (const { userId, days } of batch.users()) yield* addVisitors(scopes.user, userId, days);
    for (const { hour, first, last } of batch.hours()) {
      queries.addHour(hour, first, last);
      rows += 1;
      if (isLook()) yield;
    }
    while (queries.sweepVisitors(batch.lastDay() - 1, 10 * rowsPerLook) > 0) yield;
  }

  /** Everything that one link's clicks add to the tables; the metrics only if they were not written before a crash. */
  function* writeLink(current: Work, id: number): Generator<void, void> {
    const { batch, done } = current;
    const link = batch.sumOf(id);
    const newest: number[] = [];
    let count = 0;
    for (let click = link.next(); click !== 0; click = link.next()) {
      queries.addLinkClick(id, click);
      rows += 1;
      count += 1;
      if (newest.push(click) > newestClicks) newest.shift();
      if (isLook()) yield;
    }
    if (done.scope === 0 && id > done.id) {
      addLinkMetrics(link);
      current.reached = { scope: 0, id, hour: 0, key: 0 };
      if (listeners.size > 0) current.counted.push({ userId: link.userId, linkId: id, count, newest });
      if (isLook()) yield;
    }
    yield* addVisitors(scopes.link, id, link.days);
  }

  function addLinkMetrics({ id, userId, hours, lastAt }: LinkSum): void {
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

  function* addVisitors(scope: number, id: number, days: readonly Visitors[]): Generator<void, void> {
    for (const { day, fresh } of days) {
      for (const visitor of fresh) {
        queries.addVisitor(day, scope, id, visitor);
        rows += 1;
        if (isLook()) yield;
      }
    }
  }

  function addRow(scope: number, id: number, hour: number, key: number, metrics: Metrics): void {
    const { dimension, word } = readKey(key);
    queries.addMetrics([scope, id, dimension, hour, word, ...metrics]);
    rows += 1;
  }

  /** Whether it is time to check the clock. */
  function isLook(): boolean {
    if (rows < rowsPerLook) return false;
    rows = 0;
    return true;
  }

  /** Writes until the time is up; true when the whole batch is written. */
  function writeSome(current: Work, writing: Iterator<void, void>, hasTime: () => boolean): boolean {
    let isOver = false;
    do isOver = writing.next().done === true;
    while (!isOver && hasTime());
    queries.flush();
    // From the first write on, so that no id of its clicks is reused (`recordQueries`).
    if (isOver) queries.setPosition(current.end);
    else queries.setProgress(current.end, current.reached);
    return isOver;
  }

  const write = connection.transaction(writeSome);

  function tell(links: CountedLink[]): void {
    if (links.length > 0) for (const listener of listeners) listener(links);
  }

  return {
    step(hasTime) {
      work ??= begin();
      if (!work) return 'all';
      const current = work;
      let isOver: boolean;
      try {
        if (current.read < current.end) {
          readSome(current, hasTime);
          if (current.read < current.end || !hasTime()) return 'part';
        }
        current.writing ??= writeAll(current);
        isOver = write.immediate(current, current.writing, hasTime);
      } catch (error) {
        // The state is ahead of what was rolled back: the next step reads the batch again.
        work = undefined;
        queries.drop();
        throw error;
      }
      if (isOver) work = undefined;
      tell(current.counted.splice(0));
      return isOver ? 'batch' : 'part';
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

/** Whether a user's metric comes after the last one written. */
function isAhead(next: Omit<Progress, 'scope'>, last: Progress): boolean {
  if (next.id !== last.id) return next.id > last.id;
  return next.hour !== last.hour ? next.hour > last.hour : next.key > last.key;
}
