import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Connection, openReader } from '../../server/platform/database/connect.ts';
import type { Clicks } from './mixed-load.ts';

/** How a link is written in a journal. */
export function linkValue({ url = '', isArchived = false, isTrashed = false }): string {
  return `${url}${isArchived ? ', archived' : ''}${isTrashed ? ', in the trash' : ''}`;
}

/** How an uploaded content is written in a journal. */
export function contentValue(sha256: string): string {
  return `content ${sha256}`;
}

/** Does something with the database of a data folder, whether a server runs on it or not. */
export function withReader<Result>(folder: string, work: (connection: Connection) => Result): Result {
  const connection = openReader(join(folder, 'waypost.sqlite'));
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

/** Everything in a data folder that a mixed load creates, in the journal's format: by alias, file name or address. */
export function readStored(folder: string): Map<string, string> {
  return withReader(folder, (connection) => {
    const links = connection
      .prepare<[], { alias: string; url: string; archived: number; trashed: number; target: number | null }>(
        `SELECT links.alias, url, archived, trashed_at IS NOT NULL AS trashed, aliases.target_id AS target
         FROM links LEFT JOIN aliases ON kind = 'link' AND target_id = links.id AND aliases.alias = links.alias`,
      )
      .all();
    const files = connection
      .prepare<[], { name: string; storage: string }>('SELECT filename AS name, storage FROM files')
      .all();
    const addresses = connection.prepare<[], string>('SELECT value FROM overlay_answers').pluck().all();
    return new Map([
      ...links.map(
        ({ alias, url, archived, trashed, target }) =>
          [
            alias,
            // Only what is not in the trash has its alias.
            (target !== null) === (trashed === 0)
              ? linkValue({ url, isArchived: archived === 1, isTrashed: trashed === 1 })
              : 'in disagreement with its alias',
          ] as const,
      ),
      ...files.map(({ name, storage }) => [name, hashOf(join(folder, 'files', storage))] as const),
      ...addresses.map((address) => [address, 'kept'] as const),
    ]);
  });
}

function hashOf(path: string): string {
  if (!existsSync(path)) return 'without its content';
  return contentValue(createHash('sha256').update(readFileSync(path)).digest('hex'));
}

/** Clicks in the log, by alias. */
export function readClicks(folder: string): Map<string, number> {
  return withReader(folder, (connection) => {
    const rows = connection
      .prepare<[], { alias: string; clicks: number }>(
        'SELECT links.alias, count(*) AS clicks FROM clicks JOIN links ON links.id = clicks.link_id GROUP BY links.id',
      )
      .all();
    return new Map(rows.map(({ alias, clicks }) => [alias, clicks]));
  });
}

/** How many answered clicks are not in the log; none may be there twice. */
export function lostClicks({ asked, answered }: Clicks, logged: ReadonlyMap<string, number>): number {
  let lost = 0;
  for (const [alias, count] of asked) {
    const inLog = logged.get(alias) ?? 0;
    expect(inLog, `clicks of ${alias}`).toBeLessThanOrEqual(count);
    lost += Math.max(0, (answered.get(alias) ?? 0) - inLog);
  }
  return lost;
}

/** Waits until all clicks of the log were counted, and expects every count to agree with it. Returns the clicks. */
export async function expectCountsToAgree(folder: string): Promise<number> {
  const uncounted = () =>
    withReader(folder, (connection) =>
      connection
        .prepare<[], number>('SELECT ifnull((SELECT max(id) FROM clicks) - position, 0) FROM rollup_position')
        .pluck()
        .get(),
    );
  await expect.poll(uncounted, { timeout: 60_000 }).toBe(0);
  return withReader(folder, (connection) => {
    const sums = connection
      .prepare<[], Record<string, number>>(
        `SELECT (SELECT count(*) FROM clicks) AS logged,
                (SELECT ifnull(sum(clicks + bots), 0) FROM rollups WHERE scope = 0 AND dimension = 0) AS ofLinks,
                (SELECT ifnull(sum(clicks + bots), 0) FROM rollups WHERE scope = 1 AND dimension = 0) AS ofUsers,
                (SELECT ifnull(sum(clicks), 0) FROM links) AS onLinks,
                (SELECT count(*) FROM link_clicks) AS listed`,
      )
      .get();
    const logged = sums?.logged ?? 0;
    expect(sums).toEqual({ logged, ofLinks: logged, ofUsers: logged, onLinks: logged, listed: logged });
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(connection.pragma('foreign_key_check')).toEqual([]);
    return logged;
  });
}
