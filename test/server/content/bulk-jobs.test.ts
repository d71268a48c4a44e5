import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { documentOf, eventParser } from '../../../server/contract/event-stream.ts';
import { serverEvent } from '../../../server/contract/events.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { newTeam } from '../../support/team.ts';
import { visit } from '../../support/visits.ts';

let folder: string;
let server: TestApp;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-jobs-'));
  server = await startApp({ folder, ratelimit: 100_000 });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const count = (sql: string): number => Number(server.databases.main.prepare(sql).pluck().get());
const archived = () => count('SELECT count(*) FROM links WHERE archived = 1');
const all = { filter: { status: 'public' } };
const start = (body: object) =>
  server.request('POST', '/api/urls/bulk', { body: { ...all, ...body, background: true } });
const jobOf = async (id: number) => (await server.request('GET', `/api/urls/bulk/${id}`)).body.data;
const cancel = (id: number) => server.request('POST', `/api/urls/bulk/${id}/cancel`);
const undo = (id: number) => server.request('POST', `/api/undo/${id}`);
const follow = async (path: string) => (await visit(server, path)).status;
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

async function over(id: number) {
  await expect.poll(async () => (await jobOf(id)).finished, { timeout: 50_000, interval: 10 }).not.toBeNull();
  return jobOf(id);
}

/** Adds links straight to the database; their aliases are the prefix and a number from 0. */
function addLinks(prefix: string, many: number, { user = 1, domain = null as number | null } = {}): void {
  const { main } = server.databases;
  main
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < @many - 1)
       INSERT INTO links (user_id, domain_id, alias, url, created_at, updated_at, search)
       SELECT @user, @domain, @prefix || i, 'https://example.com/' || i, 1, 1, @prefix || i FROM n`,
    )
    .run({ prefix, many, user, domain });
  main.exec(`INSERT OR IGNORE INTO aliases (domain_id, alias, kind, target_id)
    SELECT ifnull(domain_id, 0), alias, 'link', id FROM links`);
}

describe('a bulk action in the background', () => {
  test('returns its job, which reports its progress and can be undone once finished', async () => {
    addLinks('a', 2000);
    const { body } = await start({ action: 'archive' });
    const { job } = body.data;
    expect(body.data).toMatchObject({ rows: [], undo: null });
    await until(() => archived() > 0);
    const between = await jobOf(job);
    expect(between).toMatchObject({ action: 'archive', state: 'running', total: 2000, undo: null });
    expect(between.counts.done).toBeGreaterThan(0);
    expect(between.counts.done).toBeLessThan(2000);
    const change = count('SELECT change_id FROM bulk_jobs');
    expect((await undo(change)).body.code).toBe('still_running');
    const end = await over(job);
    expect(end).toMatchObject({ state: 'done', counts: { done: 2000 }, undo: change, problem: null });
    expect(await follow('/a1999')).toBe(410);
    expect((await undo(end.undo)).status).toBe(200);
    expect(await follow('/a1999')).toBe(302);
    expect((await jobOf(job)).undo).toBeNull();
    expect((await server.request('GET', '/api/urls/bulk')).body.data.jobs).toHaveLength(1);
  });

  test('stops where it is cancelled: what was done stays, is reported, and can be undone', async () => {
    addLinks('a', 4000);
    const { job } = (await start({ action: 'archive' })).body.data;
    await until(() => archived() > 0);
    expect((await cancel(job)).status).toBe(200);
    const end = await over(job);
    const done = archived();
    expect(done).toBeLessThan(4000);
    expect(end).toMatchObject({ state: 'cancelled', total: 4000, counts: { done } });
    expect(count('SELECT count(*) FROM bulk_rest')).toBe(0);
    expect((await cancel(job)).body.code).toBe('already_over');
    const [, , gone, left] = await Promise.all([turn(), turn(), archivedPath(1), archivedPath(0)]);
    expect([await follow(gone), await follow(left)]).toEqual([410, 302]);
    expect((await undo(end.undo)).body.message).toBe(`The change was undone on ${done} links.`);
    expect(await follow(gone)).toBe(302);
  });

  test('changes nothing if cancelled before its links are recorded', { tags: 'long' }, async () => {
    addLinks('a', 40_000);
    const { job } = (await start({ action: 'delete' })).body.data;
    await until(() => count('SELECT count(*) FROM bulk_rest') > 0);
    await cancel(job);
    expect(await over(job)).toMatchObject({ state: 'cancelled', counts: { done: 0 }, undo: null });
    expect(count('SELECT count(*) FROM links WHERE trashed_at IS NOT NULL')).toBe(0);
    expect(await follow('/a39999')).toBe(302);
  });

  test('continues after a restart with correct numbers, and can then be cancelled', {
    tags: 'long',
  }, async () => {
    addLinks('a', 4000);
    const { job } = (await start({ action: 'archive' })).body.data;
    await until(() => archived() > 0);
    await server.close();
    server = await startApp({ folder, ratelimit: 100_000 });
    const before = await jobOf(job);
    expect(before).toMatchObject({ state: 'running', counts: { done: archived(), unchanged: 0 } });
    server.app.startJobs();
    await until(() => archived() > before.counts.done);
    await cancel(job);
    const end = await over(job);
    expect(end).toMatchObject({ state: 'cancelled', counts: { done: archived(), unchanged: 0 } });
    expect(end.counts.done).toBeLessThan(4000);
    expect(count('SELECT count(*) FROM bulk_rest')).toBe(0);
    expect((await undo(end.undo)).status).toBe(200);
    expect(archived()).toBe(0);
  });

  test('is complete after a restart in the middle', async () => {
    addLinks('a', 1500);
    const { job } = (await start({ action: 'archive' })).body.data;
    await until(() => archived() > 0);
    await server.close();
    server = await startApp({ folder, ratelimit: 100_000 });
    server.app.startJobs();
    expect(await over(job)).toMatchObject({ state: 'done', counts: { done: 1500, unchanged: 0 } });
    expect(await follow('/a1499')).toBe(410);
  });

  test('reports after a restart that nothing was done if nothing was recorded yet', {
    tags: 'long',
  }, async () => {
    addLinks('a', 40_000);
    const { job } = (await start({ action: 'archive' })).body.data;
    await until(() => count('SELECT count(*) FROM bulk_rest') > 0);
    await server.close();
    server = await startApp({ folder, ratelimit: 100_000 });
    server.app.startJobs();
    expect(await over(job)).toMatchObject({ state: 'failed', problem: { code: 'stopped' }, undo: null });
    await expect.poll(() => count('SELECT count(*) FROM bulk_rest'), { timeout: 50_000 }).toBe(0);
    expect(await follow('/a0')).toBe(302);
  });

  test('that is refused starts nothing, and a move skips links whose alias is taken', async () => {
    const two = addDomain(server, 'two.example.com', 1);
    addLinks('a', 150);
    addLinks('a', 50, { domain: two });
    expect((await start({ action: 'domain', value: 'gone.example.com' })).status).toBe(400);
    expect((await server.request('GET', '/api/urls/bulk')).body.data.jobs).toEqual([]);
    const { job } = (await start({ action: 'domain', value: two })).body.data;
    const end = await over(job);
    expect(end).toMatchObject({
      counts: { done: 100, refused: 50, unchanged: 50 },
      codes: { alias_taken: 50 },
    });
    expect([await follow('/a0'), await follow('/a149')]).toEqual([302, 404]);
    expect((await undo(end.undo)).status).toBe(200);
    expect(await follow('/a149')).toBe(302);
  });

  test('is one of at most three at once, each of which finishes', { tags: 'long' }, async () => {
    addLinks('a', 3000);
    const actions = ['lock', 'archive', 'lock'];
    const jobs: number[] = [];
    for (const action of actions) jobs.push((await start({ action })).body.data.job);
    expect((await start({ action: 'unlock' })).body.code).toBe('too_many_jobs');
    const ends = await Promise.all(jobs.map(over));
    expect(ends.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    for (const { counts } of ends) {
      expect(counts.done + counts.unchanged + counts.refused + counts.not_found).toBe(3000);
    }
    expect((await start({ action: 'unlock' })).status).toBe(200);
  });
});

/** A link that is archived, or one that is not. */
async function archivedPath(value: 0 | 1): Promise<string> {
  const alias = server.databases.main
    .prepare('SELECT alias FROM links WHERE archived = ? LIMIT 1')
    .pluck()
    .get(value);
  return `/${alias}`;
}

test('a long action with a waiting request can be cancelled by its job, and says so', async () => {
  addLinks('a', 4000);
  const reply = server.request('POST', '/api/urls/bulk', { body: { ...all, action: 'archive' } });
  await until(() => archived() > 0);
  const [{ id }] = (await server.request('GET', '/api/urls/bulk')).body.data.jobs;
  await cancel(id);
  const { data, message } = (await reply).body;
  expect(message).toBe(`${archived()} of ${data.counts.done} links were changed. The rest was cancelled.`);
  expect([data.job, data.counts.done]).toEqual([id, archived()]);
  expect((await jobOf(id)).state).toBe('cancelled');
});

test('in a team is visible and cancelable for editors, for contributors only their own, and for no other account', async () => {
  const team = await newTeam(server);
  const [ella, cora, vera] = [
    await team.join('ella', 'editor'),
    await team.join('cora', 'contributor'),
    await team.join('vera', 'viewer'),
  ];
  addLinks('a', 3000, { user: team.id });
  const started = await team.owner.inTeam('POST', '/api/urls/bulk', {
    body: { ...all, action: 'archive', background: true },
  });
  const { job } = started.body.data;
  const see = async (who: typeof ella) => (await who.inTeam('GET', `/api/urls/bulk/${job}`)).status;
  expect([await see(ella), await see(cora), await see(vera)]).toEqual([200, 404, 404]);
  expect((await server.request('GET', `/api/urls/bulk/${job}`)).status).toBe(404);
  expect((await cora.inTeam('GET', '/api/urls/bulk')).body.data.jobs).toEqual([]);
  const path = `/api/urls/bulk/${job}/cancel`;
  expect((await cora.inTeam('POST', path)).status).toBe(404);
  expect((await vera.inTeam('POST', path)).status).toBe(403);
  expect((await ella.inTeam('POST', path)).status).toBe(200);
  await expect
    .poll(async () => (await ella.inTeam('GET', `/api/urls/bulk/${job}`)).body.data.state)
    .toBe('cancelled');
  expect(archived()).toBeLessThan(3000);
  const own = await cora.inTeam('POST', '/api/urls/bulk', {
    body: { ...all, action: 'lock', background: true },
  });
  const mine = `/api/urls/bulk/${own.body.data.job}`;
  await expect.poll(async () => (await cora.inTeam('GET', mine)).body.data.state).toBe('done');
  expect((await cora.inTeam('GET', mine)).body.data).toMatchObject({ counts: { done: 0 }, undo: null });
});

test('ends when its person is removed from the team, with the reason', async () => {
  const team = await newTeam(server);
  const ella = await team.join('ella', 'editor');
  addLinks('a', 3000, { user: team.id });
  const body = { ...all, action: 'archive', background: true };
  const { job } = (await ella.inTeam('POST', '/api/urls/bulk', { body })).body.data;
  await until(() => archived() > 0);
  await team.owner.inTeam('DELETE', `/api/team/${team.id}/member/${ella.id}/delete`);
  const read = async () => (await team.owner.inTeam('GET', `/api/urls/bulk/${job}`)).body.data;
  await expect.poll(async () => (await read()).state).toBe('failed');
  expect((await read()).problem.code).toBe('account_not_found');
  expect(archived()).toBeLessThan(3000);
  expect(count('SELECT count(*) FROM bulk_rest')).toBe(0);
});

test('counts a missing link once, even if the server is stopped in between', async () => {
  addLinks('a', 400);
  const existing = server.databases.main.prepare('SELECT id FROM links').pluck().all() as number[];
  const ids = existing.flatMap((id) => [
    id,
    ...Array.from({ length: 9 }, (_, index) => id * 100_000 + index),
  ]);
  const body = { ids, action: 'archive', background: true };
  const { job } = (await server.request('POST', '/api/urls/bulk', { body })).body.data;
  await until(() => archived() > 0);
  await server.close();
  server = await startApp({ folder, ratelimit: 100_000 });
  server.app.startJobs();
  const counts = { done: 400, unchanged: 0, refused: 0, not_found: 3600 };
  expect(await over(job)).toMatchObject({ state: 'done', total: 4000, counts });
});

describe('a job whose end cannot be recorded', () => {
  const refuse = () =>
    server.databases.main.exec(`CREATE TRIGGER unwritable BEFORE UPDATE OF finished_at ON bulk_jobs
      WHEN NEW.finished_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  const allow = () => server.databases.main.exec('DROP TRIGGER unwritable');

  test('has done its work: its request is told so, and the end is recorded later', async () => {
    addLinks('a', 200);
    refuse();
    const reply = await server.request('POST', '/api/urls/bulk', { body: { ...all, action: 'archive' } });
    expect(reply.body).toMatchObject({ error: 0, data: { counts: { done: 200 } } });
    expect((await jobOf(reply.body.data.job)).state).toBe('running');
    allow();
    server.app.startJobs();
    expect(await over(reply.body.data.job)).toMatchObject({ state: 'done', counts: { done: 200 } });
  });

  test('reports its failure later', async () => {
    const team = await newTeam(server);
    const ella = await team.join('ella', 'editor');
    addLinks('a', 3000, { user: team.id });
    const body = { ...all, action: 'archive', background: true };
    const { job } = (await ella.inTeam('POST', '/api/urls/bulk', { body })).body.data;
    await until(() => archived() > 0);
    refuse();
    await team.owner.inTeam('DELETE', `/api/team/${team.id}/member/${ella.id}/delete`);
    await expect.poll(() => server.logLines().join()).toContain('could not be written');
    allow();
    server.app.startJobs();
    const read = async () => (await team.owner.inTeam('GET', `/api/urls/bulk/${job}`)).body.data;
    await expect.poll(async () => (await read()).state).toBe('failed');
    expect((await read()).problem.code).toBe('account_not_found');
  });
});

test('live pages are notified when a job ends that was cancelled after a restart', async () => {
  const { key } = server;
  addLinks('a', 4000);
  const { job } = (await start({ action: 'archive' })).body.data;
  await until(() => archived() > 0);
  await server.close();
  server = await startApp({ folder, ratelimit: 100_000 });
  const stream = await fetch(`${server.origin}/api/events`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(stream.status).toBe(200);
  const told: string[] = [];
  const parser = eventParser();
  const decoder = new TextDecoder();
  const reading = (async () => {
    for await (const piece of stream.body ?? [])
      for (const event of parser.push(decoder.decode(piece, { stream: true }))) {
        const read = serverEvent.parse(documentOf(event));
        if (read.type === 'changed') told.push(read.resource);
      }
  })().catch(() => undefined);
  await cancel(job);
  expect(await over(job)).toMatchObject({ state: 'cancelled' });
  await expect.poll(() => told).toContain('links');
  await stream.body?.cancel().catch(() => undefined);
  await server.close();
  await reading;
  server = await startApp({ folder });
});
