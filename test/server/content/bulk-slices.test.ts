import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { times } from '../../support/trials.ts';
import { visit } from '../../support/visits.ts';

let folder: string;
let server: TestApp;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-bulk-'));
  server = await startApp({ folder });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const count = (sql: string): number => Number(server.databases.main.prepare(sql).pluck().get());
const bulk = (body: object) => server.request('POST', '/api/urls/bulk', { body });
const undo = (id: number) => server.request('POST', `/api/undo/${id}`);
const archived = () => count('SELECT count(*) FROM links WHERE archived = 1');
const follow = async (path: string) => (await visit(server, path)).status;

/** Adds links straight to the database; their aliases are the prefix and a number from 0. */
function addLinks(prefix: string, many: number, domain: number | null = null): void {
  const { main } = server.databases;
  main
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < @many - 1)
       INSERT INTO links (user_id, domain_id, alias, url, created_at, updated_at, search)
       SELECT 1, @domain, @prefix || i, 'https://example.com/' || i, 1, 1, @prefix || i FROM n`,
    )
    .run({ prefix, many, domain });
  main
    .prepare(
      `INSERT OR IGNORE INTO aliases (domain_id, alias, kind, target_id)
       SELECT ifnull(domain_id, 0), alias, 'link', id FROM links`,
    )
    .run();
}

/** Largest step of a number from one turn of the event loop to the next, until it is `end`. */
async function largestStep(number: () => number, end: number): Promise<number> {
  let largest = 0;
  for (let last = number(); last !== end; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const current = number();
    largest = Math.max(largest, Math.abs(current - last));
    last = current;
  }
  return largest;
}

describe('a bulk action over many links', () => {
  const total = times({ short: 700, long: 2000 });

  test('runs in slices, and so does its undo', async () => {
    addLinks('a', total);
    const reply = bulk({ filter: { status: 'public' }, action: 'archive' });
    // A link is the smallest step, after which the clock is looked at.
    expect(await largestStep(archived, total)).toBeLessThanOrEqual(200);
    const { body } = await reply;
    expect(body.data.counts).toEqual({ done: total, unchanged: 0, refused: 0, not_found: 0 });
    expect(body.data.rows).toHaveLength(total);
    expect(count('SELECT count(*) FROM bulk_rest')).toBe(0);
    expect(await follow('/a7')).toBe(410);
    const undone = undo(body.data.undo);
    expect(await largestStep(archived, 0)).toBeLessThanOrEqual(200);
    expect((await undone).body.message).toBe(`The change was undone on ${total} links.`);
    expect(await follow('/a7')).toBe(302);
    expect((await undo(body.data.undo)).body.code).toBe('already_undone');
  });

  test('continues after a restart, and its undo covers everything', async () => {
    addLinks('a', total);
    const reply = bulk({ filter: { status: 'public' }, action: 'archive' }).catch(() => {});
    await expect.poll(archived, { interval: 1 }).toBeGreaterThan(0);
    await server.close();
    await reply;
    server = await startApp({ folder });
    expect(archived()).toBeLessThan(total);
    server.app.startJobs();
    expect(await largestStep(archived, total)).toBeLessThanOrEqual(200);
    await expect.poll(() => count('SELECT count(*) FROM bulk_rest'), { timeout: 50_000 }).toBe(0);
    expect(await follow(`/a${total - 1}`)).toBe(410);
    const change = count("SELECT id FROM changes WHERE action = 'bulk archive'");
    expect((await undo(change)).body.message).toBe(`The change was undone on ${total} links.`);
    expect(archived()).toBe(0);
    expect(await follow(`/a${total - 1}`)).toBe(302);
  });

  test('does nothing if the server stops before everything is recorded', async () => {
    addLinks('a', 40_000);
    const parts = () => count('SELECT count(*) FROM bulk_rest');
    const reply = bulk({ filter: { status: 'public' }, action: 'archive' }).catch(() => {});
    while (parts() === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(parts()).toBeLessThan(4000);
    expect(archived()).toBe(0);
    await server.close();
    await reply;
    server = await startApp({ folder });
    expect(parts()).toBeGreaterThan(0);
    server.app.startJobs();
    await expect.poll(parts, { timeout: 50_000 }).toBe(0);
    expect(archived()).toBe(0);
    expect(await follow('/a7')).toBe(302);
  });

  test('lists at most 10,000 of them, unchanged ones first, and says how many were omitted', {
    tags: 'long',
  }, async () => {
    addLinks('a', 10_003);
    server.databases.main.exec("UPDATE links SET locked = 1 WHERE alias IN ('a0', 'a1')");
    const { data } = (await bulk({ filter: { status: 'public' }, action: 'archive', dryrun: true })).body;
    expect(data.rows).toHaveLength(10_000);
    expect(data.rows.slice(0, 3).map((row: { code?: string }) => row.code)).toEqual([
      'locked',
      'locked',
      undefined,
    ]);
    expect([data.omitted, data.counts, data.codes]).toEqual([
      3,
      { done: 10_001, unchanged: 0, refused: 2, not_found: 0 },
      { locked: 2 },
    ]);
    expect(archived()).toBe(0);
  });
});

describe('a bulk action by a filter', () => {
  test('skips exceptions', async () => {
    addLinks('a', 3);
    const reply = await bulk({ filter: { status: 'public' }, except: [2], action: 'delete' });
    expect(reply.body.data.rows.map(({ id }: { id: number }) => id)).toEqual([3, 1]);
    expect([await follow('/a0'), await follow('/a1'), await follow('/a2')]).toEqual([404, 302, 404]);
  });
});

describe('a dry run', () => {
  test('detects that two of its links would take the same alias, and that one would free it for another', async () => {
    const [two, three] = ['two.example.com', 'three.example.com'].map((host) => addDomain(server, host, 1));
    addLinks('a', 2, two);
    addLinks('a', 2, three);
    const [first, second, third, fourth] = [1, 2, 3, 4];
    const move = { ids: [third, first, fourth], action: 'domain', value: null };
    const rehearsed = await bulk({ ...move, dryrun: true });
    expect(rehearsed.body.data.rows).toEqual([
      { id: third, outcome: 'done' },
      { id: first, outcome: 'refused', code: 'alias_taken' },
      { id: fourth, outcome: 'done' },
    ]);
    expect(count('SELECT count(*) FROM aliases WHERE domain_id = 0')).toBe(0);
    const done = await bulk(move);
    expect(done.body.data.rows).toEqual(rehearsed.body.data.rows);
    expect(await follow('/a0')).toBe(302);
    const swap = { ids: [fourth, second], action: 'domain', value: two };
    const again = await bulk({ ...swap, dryrun: true });
    expect(again.body.data.rows[0]).toEqual({ id: fourth, outcome: 'refused', code: 'alias_taken' });
    expect((await bulk(swap)).body.data.rows).toEqual(again.body.data.rows);
  });
});

describe('undoing a change of many links', () => {
  test('changes none of them if one cannot be undone', async () => {
    addLinks('a', 300);
    const { undo: id } = (await bulk({ filter: { status: 'public' }, action: 'archive' })).body.data;
    await server.request('PUT', '/api/url/250/update', { body: { locked: true } });
    expect((await undo(id)).body.code).toBe('locked');
    expect(archived()).toBe(300);
    await server.request('PUT', '/api/url/250/update', { body: { locked: false } });
    expect((await undo(id)).status).toBe(200);
    expect(archived()).toBe(0);
  });

  test('of a deletion does not restore an alias that somebody else has taken', async () => {
    addLinks('a', 300);
    const { undo: id } = (await bulk({ filter: { status: 'public' }, action: 'delete' })).body.data;
    await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', custom: 'a250' } });
    expect((await undo(id)).body.code).toBe('alias_taken');
    expect(count('SELECT count(*) FROM links WHERE trashed_at IS NOT NULL')).toBe(300);
    expect(await follow('/a1')).toBe(404);
  });
});
