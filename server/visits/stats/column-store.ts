import { createHash } from 'node:crypto';
import { loggedDimensions } from '../../contract/dimensions.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { columnOf, dayMs, dimensions, hourMs, scopes, withMarks } from '../clicks/dimensions.ts';
import {
  type ClickColumns,
  clickColumns,
  type FilterAnswer,
  type FilterQuestion,
  type ReadClick,
  spareMemory,
} from './click-columns.ts';
import { earliestHourSql, firstSinceSql, hourSql } from './log-start.ts';

/** Whose clicks: all of a user's links, or some links, whose ids are JSON. */
export type ColumnSubject = { userId: number } | { linkIds: string };

export interface ColumnQuestion extends FilterQuestion {
  subject: ColumnSubject;
}

/** Which clicks to have ready: of a subject, from an hour on. */
export interface WarmQuestion {
  subject: ColumnSubject;
  from: number;
}

/** Which clicks a question is about. */
export function warmQuestionOf({ subject, intervals, previous }: ColumnQuestion): WarmQuestion {
  return { subject, from: (previous[0] ?? intervals[0])?.[0] ?? 0 };
}

/** Clicks that memory is kept for, of all subjects together; one subject never has more. */
const mostKeptClicks = 2_000_000;
const clicksPerRead = 2_000;
/** Columns that exceed the limit by this many are reloaded without the oldest. */
const clicksPerTurnover = 250_000;
/** A log that has more clicks than so many times those of an account is not read as a whole. */
const goodShare = 10;

const clickValues = [
  'clicks.id, clicks.link_id, clicks.at, clicks.visitor, clicks.bot',
  ...loggedDimensions.map(columnOf),
].join();

interface Store {
  columns: ClickColumns;
  version: string;
  from: number;
  /** Reads some more clicks; true when all counted ones are there. */
  readSome(): boolean;
}

/**
 * Columns of the clicks that statistics were filtered of lately: read from the log once, and then only what came since.
 * They are dropped when clicks leave the log or links change hands, which the database counts by itself
 * (`log_version`).
 */
export function columnStore(connection: Connection, most = mostKeptClicks) {
  const stores = new Map<string, Store>();
  const spare = spareMemory();
  const logVersion = connection
    .prepare<[], string>('SELECT log_version FROM rollup_position WHERE id = 1')
    .pluck();
  const counted = connection.prepare<[], number>('SELECT position FROM rollup_position WHERE id = 1').pluck();
  const firstSince = connection.prepare<[{ hour: number }], { first: number; later: number }>(firstSinceSql);
  const hourOf = connection
    .prepare<[{ user: number; bots: number; needed: number }], number | null>(hourSql)
    .pluck();
  const clicksOfUser = connection
    .prepare<[number, number], number>(
      `SELECT coalesce(sum(clicks + bots), 0) FROM rollups
       WHERE scope = ${scopes.user} AND scope_id = ? AND dimension = 0 AND hour >= ?`,
    )
    .pluck();
  const log = connection
    .prepare<[{ after: number; end: number; most: number }], ReadClick>(
      `SELECT ${clickValues} FROM clicks ${withMarks}
       WHERE clicks.id > @after AND clicks.id <= @end ORDER BY clicks.id LIMIT @most`,
    )
    .raw();
  const newestLink = connection.prepare<[], number>('SELECT coalesce(max(id), 0) FROM links').pluck();
  const linksOfUser = connection.prepare<[number], number>('SELECT id FROM links WHERE user_id = ?').pluck();
  const linkOfUser = connection
    .prepare<[number, number], number>('SELECT 1 FROM links WHERE id = ? AND user_id = ?')
    .pluck();
  const idsOfUser = connection
    .prepare<[{ user: number; after: number; end: number; most: number }], number>(
      `SELECT link_clicks.click_id FROM (
         SELECT DISTINCT word AS id FROM rollups
         WHERE scope = ${scopes.user} AND scope_id = @user AND dimension = ${dimensions.link}
           AND hour >= ${earliestHourSql('@after')}) AS clicked
       CROSS JOIN links ON links.id = clicked.id AND links.user_id = @user
       CROSS JOIN link_clicks ON link_clicks.link_id = links.id AND click_id > @after AND click_id <= @end
       ORDER BY click_id DESC LIMIT @most`,
    )
    .pluck();
  const idsOfLinks = connection
    .prepare<[{ links: string; after: number; end: number; most: number }], number>(
      `SELECT link_clicks.click_id FROM json_each(@links) AS wanted
       CROSS JOIN link_clicks ON link_clicks.link_id = wanted.value AND click_id > @after AND click_id <= @end
       ORDER BY click_id DESC LIMIT @most`,
    )
    .pluck();
  const clicksById = connection
    .prepare<[string], ReadClick>(
      `SELECT ${clickValues} FROM json_each(?) AS wanted CROSS JOIN clicks ON clicks.id = wanted.value ${withMarks}`,
    )
    .raw();

  /**
   * Tells a user's links. A search in the table of links for each click would take most of the time, so their ids are
   * read once; links that come later are looked up, and those that change accounts raise the version of the log.
   */
  function ownership(user: number): (link: number) => boolean {
    const newest = newestLink.get() ?? 0;
    const isOwn = new Uint8Array(newest + 1);
    for (const link of linksOfUser.iterate(user)) isOwn[link] = 1;
    return (link) => (link <= newest ? isOwn[link] === 1 : linkOfUser.get(link, user) !== undefined);
  }

  /** Reads a user's clicks where they lie in the log, among those of others. */
  function readingLog(user: number, hour: number, columns: ClickColumns): () => boolean {
    const isOwn = ownership(user);
    let after = (firstSince.get({ hour })?.first ?? 1) - 1;
    return () => {
      const end = counted.get() ?? 0;
      if (after >= end) return true;
      const clicks = log.all({ after, end, most: clicksPerRead });
      for (const click of clicks) if (isOwn(click[1])) columns.add(click);
      after = clicks.length < clicksPerRead ? end : (clicks.at(-1)?.[0] ?? end);
      return after >= end;
    };
  }

  /** Reads the clicks of some links, by the lists of clicks that links have. `find` gives the newest ones first. */
  function readingIds(
    find: (after: number, end: number) => number[],
    hour: number,
    columns: ClickColumns,
  ): () => boolean {
    let listed = (firstSince.get({ hour })?.first ?? 1) - 1;
    let ids: number[] = [];
    let next = 0;
    return () => {
      if (next >= ids.length) {
        const end = counted.get() ?? 0;
        ids = listed < end ? find(listed, end).reverse() : [];
        next = 0;
        listed = Math.max(listed, end);
      }
      const some = ids.slice(next, next + clicksPerRead);
      next += clicksPerRead;
      if (some.length > 0) for (const click of clicksById.all(JSON.stringify(some))) columns.add(click);
      return next >= ids.length;
    };
  }

  function newStore(subject: ColumnSubject, wanted: number, version: string): Store {
    const isOfUser = 'userId' in subject;
    const columns = clickColumns(!isOfUser, spare);
    // A visitor's first click of a day may lie before the period.
    const morning = (hour: number) => Math.floor(hour / (dayMs / hourMs)) * (dayMs / hourMs);
    if (!isOfUser) {
      const find = (after: number, end: number) =>
        idsOfLinks.all({ links: subject.linkIds, after, end, most });
      const from = morning(wanted);
      return { columns, version, from, readSome: readingIds(find, from, columns) };
    }
    const user = subject.userId;
    const bounded = hourOf.get({ user, bots: 1, needed: most });
    const from = morning(Math.max(wanted, typeof bounded === 'number' ? bounded : 0));
    const { later } = firstSince.get({ hour: from }) ?? { later: 0 };
    const find = (after: number, end: number) => idsOfUser.all({ user, after, end, most });
    const isGood = later <= goodShare * (clicksOfUser.get(user, from) ?? 0);
    const readSome = isGood ? readingLog(user, from, columns) : readingIds(find, from, columns);
    return { columns, version, from: wanted, readSome };
  }

  /** The columns of a subject, not necessarily read to the end. What was asked for last is dropped last. */
  function storeOf({ subject, from }: WarmQuestion): Store {
    const key =
      'userId' in subject
        ? `user ${subject.userId}`
        : createHash('sha256').update(subject.linkIds).digest('base64');
    const version = String(logVersion.get());
    const known = stores.get(key);
    const isGood =
      known?.version === version && known.from <= from && known.columns.size() <= most + clicksPerTurnover;
    const store = isGood ? known : newStore(subject, from, version);
    stores.delete(key);
    stores.set(key, store);
    return store;
  }

  function dropOldest(): void {
    let kept = 0;
    for (const { columns } of stores.values()) kept += columns.room();
    for (const [key, { columns }] of stores) {
      if (kept <= most || stores.size === 1) return;
      stores.delete(key);
      kept -= columns.room();
    }
  }

  return {
    /** Counts clicks under filters; reads first what is not there yet. To be called inside a transaction. */
    count(question: ColumnQuestion): FilterAnswer {
      const store = storeOf(warmQuestionOf(question));
      while (!store.readSome());
      dropOldest();
      return store.columns.count(question);
    },

    /** Reads some clicks ahead; true when nothing is left to be read. To be called inside a transaction. */
    warm(question: WarmQuestion): boolean {
      const isDone = storeOf(question).readSome();
      if (isDone) dropOldest();
      return isDone;
    },
  };
}
