import type { Connection } from '../../platform/database/connect.ts';
import type { CountedLink } from '../../platform/events/counted-link.ts';
import {
  type Batch,
  type ClickHour,
  type LinkPart,
  type NewVisitor,
  newBatch,
  type UserFigures,
} from './batch.ts';
import { boundedCache } from './bounded-cache.ts';
import { dimensions, hourMs, scopes } from './dimensions.ts';
import { addClick, type Figures, type HourFigures, readKey } from './hour-figures.ts';
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

/** Clicks of one batch: more of them share rows and pages, but memory has to hold them all. */
const clicksPerBatch = 50_000;
/** Clicks that are read between two looks at the clock. */
const clicksPerRead = 100;
/** Rows that are written between two looks at the clock. */
const rowsPerLook = 20;

/** A batch that is being written. */
interface Work {
  batch: Batch;
  /** The last click of the batch, and the last one that was read. */
  end: number;
  read: number;
  /** What was in the tables when the writing began, before a crash perhaps. */
  done: Progress;
  plan: Plan | undefined;
}

/** What is written, in this order; each list from its cursor on. Long ones are put together as they are written. */
interface Plan {
  linkIds: number[];
  /** Links whose figures a crash found written have lists of clicks all the same. */
  listedIds: number[];
  users: Iterator<UserFigures, void>;
  visitors: Iterator<NewVisitor, void>;
  hours: Iterator<ClickHour, void>;
  cursor: { link: number; listed: number; click: number };
}

/**
 * Derives the statistics from the click log. `connection` is the one that the log is written on.
 *
 * Clicks are taken in batches of thousands, as most of the work is rows and pages that many of them share. A batch is
 * written in many short transactions, since redirects wait for each: the figures of one link after the other, then those of
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
    const end = batchEnd > position ? batchEnd : Math.min(queries.lastClick(), position + clicksPerBatch);
    if (end <= position) return undefined;
    const batch = newBatch({ queries, ownerOf });
    const done = batchEnd > position ? progress : { scope: 0, id: 0, hour: 0, key: 0 };
    return { batch, end, read: position, done, plan: undefined };
  }

  function readSome(current: Work, hasTime: () => boolean): void {
    do {
      const clicks = queries.nextClicks(current.read, current.end, clicksPerRead);
      for (const click of clicks) current.batch.add(click);
      current.read = clicks.length < clicksPerRead ? current.end : (clicks.at(-1)?.[0] ?? current.end);
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
      const { userId, hour, key, figures } = next.value;
      addRow(scopes.user, userId, hour, key, figures);
      progress = { scope: 1, id: userId, hour, key };
      if (isTimeUp()) return pause(progress);
    }
    if (progress) {
      queries.flushFigures();
      queries.setProgress(end, { scope: 2, id: 0, hour: 0, key: 0 });
    }
    for (let next = visitors.next(); !next.done; next = visitors.next()) {
      const { day, scope, id, visitor } = next.value;
      queries.addVisitor(day, scope, id, visitor);
      if (isTimeUp()) return false;
    }
    for (let next = hours.next(); !next.done; next = hours.next()) {
      const { hour, first, last } = next.value;
      queries.addHour(hour, first, last);
      if (isTimeUp()) return false;
    }
    while (cursor.listed < listedIds.length) {
      const id = listedIds[cursor.listed] as number;
      const { clicks } = batch.link(id);
      while (cursor.click < clicks.length) {
        queries.addLinkClick(id, clicks[cursor.click]?.[0] ?? 0);
        cursor.click += 1;
        if (isTimeUp()) return false;
      }
      cursor.listed += 1;
      cursor.click = 0;
    }
    while (queries.sweepVisitors(batch.lastDay() - 1, 10 * rowsPerLook) > 0) if (!hasTime()) return false;
    queries.setPosition(end);
    return true;

    function pause(reached: Progress): boolean {
      queries.flushFigures();
      queries.setProgress(end, reached);
      return false;
    }
  }

  const write = connection.transaction(writeSome);

  /** Everything that one link's clicks add to the tables, but for the visitors and the list of clicks. */
  function writeLink(id: number, { userId, clicks, isFirst }: LinkPart): void {
    let hour = -1;
    let figures: HourFigures = new Map();
    let totals: Figures = [0, 0, 0];
    let sum = 0;
    let unique = 0;
    let lastAt = 0;
    const writeHour = () => {
      for (const [key, each] of figures) addRow(scopes.link, id, hour, key, each);
      const [ofHour, uniqueOfHour, bots] = totals;
      if (hour >= 0)
        queries.addFigures([scopes.user, userId, dimensions.link, hour, id, ofHour, uniqueOfHour, bots]);
    };
    for (let index = 0; index < clicks.length; index += 1) {
      const click = clicks[index] as (typeof clicks)[number];
      const first = isFirst[index] === true;
      const ofClick = Math.floor(click[2] / hourMs);
      if (ofClick !== hour) {
        writeHour();
        hour = ofClick;
        figures = new Map();
        totals = [0, 0, 0];
      }
      addClick(figures, click, first);
      if (first) totals[1] += 1;
      if (click[5] !== 0) {
        totals[2] += 1;
        continue;
      }
      totals[0] += 1;
      sum += 1;
      if (first) unique += 1;
      lastAt = Math.max(lastAt, click[2]);
    }
    writeHour();
    if (sum > 0) queries.addToLink(id, sum, unique, lastAt);
  }

  function addRow(scope: number, id: number, hour: number, key: number, figures: Figures): void {
    const { dimension, word } = readKey(key);
    queries.addFigures([scope, id, dimension, hour, word, figures[0], figures[1], figures[2]]);
  }

  function tell(batch: Batch): void {
    if (listeners.size === 0) return;
    const links = batch.linkIds().map((linkId): CountedLink => {
      const { userId, clicks } = batch.link(linkId);
      return { userId, linkId, clickIds: clicks.map(([id]) => id) };
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
        queries.dropFigures();
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
  const isAhead = ({ userId, hour, key }: UserFigures) =>
    userId !== done.id ? userId > done.id : hour !== done.hour ? hour > done.hour : key > done.key;
  const listedIds = batch.linkIds();
  const users = done.scope === 2 ? [].values() : batch.userFigures();
  return {
    linkIds: done.scope === 0 ? listedIds.filter((id) => id > done.id) : [],
    listedIds,
    users: done.scope === 1 ? users.filter(isAhead) : users,
    visitors: batch.newVisitors(),
    hours: batch.hours(),
    cursor: { link: 0, listed: 0, click: 0 },
  };
}
