import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../../server/operations/commands/run.ts';
import { applicationId, connect } from '../../../server/platform/database/connect.ts';
import { applyMigrations } from '../../../server/platform/database/migrate.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { commandApp } from '../../../server/start.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { upload } from '../../support/uploads.ts';

let folder = '';
let server: TestApp | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-aliases-'));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: { fresh?: boolean } = {}): Promise<TestApp> {
  server = await startApp({ folder, ...options });
  return server;
}

async function restart(): Promise<TestApp> {
  await server?.close();
  return start();
}

async function add(app: TestApp, body: object): Promise<number> {
  const reply = await app.request('POST', '/api/url/add', { body: { url: 'https://example.com/', ...body } });
  expect(reply.body.message ?? '').toBe('');
  return reply.body.id;
}

/** Where a short address leads, or the status of the page that it shows. */
async function follow(app: TestApp, alias: string): Promise<string | number> {
  const reply = await app.request('GET', `/${alias}`, { key: null });
  return reply.headers.get('location') ?? reply.status;
}

async function check(): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const terminal = { print: (line: string) => void lines.push(line), remark() {} };
  const code = await runCommand('check', ['--data', folder], commandApp, terminal);
  return { code, lines: lines.filter((line) => line.startsWith('aliases')) };
}

describe('a link whose move to a domain is refused', () => {
  test('keeps its address, which nobody else can take, even after a restart', async () => {
    let app = await start();
    const host = addDomain(app, 'go.example.com', 1);
    const id = await add(app, { custom: 'same', url: 'https://example.com/mine' });
    await add(app, { custom: 'same', domain: host });
    const reply = await app.request('POST', '/api/urls/bulk', {
      body: { ids: [id], action: 'domain', value: host },
    });
    expect(reply.body.data.rows).toEqual([{ id, outcome: 'refused', code: 'alias_taken' }]);
    expect(await follow(app, 'same')).toBe('https://example.com/mine');
    const bert = secondAccount(app);
    const body = { url: 'https://example.com/theirs', custom: 'same' };
    expect((await bert.request('POST', '/api/url/add', { body })).body.code).toBe('alias_taken');
    expect(await check()).toEqual({ code: 0, lines: ['aliases    ok'] });
    app = await restart();
    expect(await follow(app, 'same')).toBe('https://example.com/mine');
  });

  test('keeps it too if it is one of many, or restored from the trash', async () => {
    const app = await start();
    const host = addDomain(app, 'go.example.com', 1);
    const ids = [];
    for (const custom of ['one', 'two', 'three']) ids.push(await add(app, { custom }));
    await add(app, { custom: 'two', domain: host });
    const moved = await app.request('POST', '/api/urls/bulk', {
      body: { ids, action: 'domain', value: host },
    });
    expect(moved.body.data.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'done',
      'refused',
      'done',
    ]);
    expect(await Promise.all(['one', 'two', 'three'].map((alias) => follow(app, alias)))).toEqual([
      404,
      'https://example.com/',
      404,
    ]);
    const trashed = await add(app, { custom: 'four' });
    await app.request('DELETE', `/api/url/${trashed}/delete`);
    await add(app, { custom: 'four', url: 'https://example.com/new' });
    const restored = await app.request('POST', '/api/urls/bulk', {
      body: { ids: [trashed], action: 'restore' },
    });
    expect(restored.body.data.rows[0].code).toBe('alias_taken');
    expect(await follow(app, 'four')).toBe('https://example.com/new');
    expect(await check()).toEqual({ code: 0, lines: ['aliases    ok'] });
  });
});

test('a file and a bio page keep their addresses when an update is refused', async () => {
  const app = await start();
  await add(app, { custom: 'taken' });
  const file = await upload(app, 'content', { custom: 'paper' });
  const bio = await app.request('POST', '/api/bio/add', { body: { name: 'Anna', alias: 'anna' } });
  const changes = [
    await app.request('PUT', `/api/file/${file.id}/update`, { body: { custom: 'taken' } }),
    await app.request('PUT', `/api/bio/${bio.body.id}/update`, { body: { alias: 'taken' } }),
  ];
  expect(changes.map(({ body }) => body.code)).toEqual(['alias_taken', 'alias_taken']);
  expect([await follow(app, 'paper'), await follow(app, 'anna')]).toEqual([200, 200]);
});

test('the aliases of a deleted account are free again', async () => {
  const app = await start();
  const bert = secondAccount(app);
  for (const custom of ['gone', 'binned']) {
    const { body } = await bert.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/b', custom },
    });
    if (custom === 'binned') await bert.request('DELETE', `/api/url/${body.id}/delete`);
  }
  expect((await app.request('DELETE', `/api/user/${bert.id}/delete`)).status).toBe(200);
  expect(await follow(app, 'gone')).toBe(404);
  await add(app, { custom: 'gone', url: 'https://example.com/a' });
  expect(await follow(app, 'gone')).toBe('https://example.com/a');
  const rows = app.databases.main.prepare('SELECT count(*) FROM aliases').pluck().get();
  expect(rows).toBe(1);
});

/** A database of the schema before aliases were repaired, with the damage that was done then. */
function makeDamagedDatabase(): void {
  mkdirSync(folder, { recursive: true });
  const database = connect(join(folder, 'waypost.sqlite'), 'FULL');
  database.pragma(`application_id = ${applicationId}`);
  applyMigrations(
    database,
    migrations.filter(({ version }) => version < 17),
  );
  database.exec(`
    INSERT INTO users (id, email, email_folded, username, username_folded, password_hash, plan_id, registered_at, timezone)
      VALUES (1, 'a@example.com', 'a@example.com', 'anna', 'anna', 'none', 2, 0, 'UTC');
    INSERT INTO domains (id, user_id, host, active, created_at) VALUES (5, 1, 'go.example.com', 1, 0);
    INSERT INTO links (id, user_id, domain_id, alias, url, created_at, updated_at, trashed_at, search) VALUES
      (1, 1, NULL, 'lost', 'https://example.com/lost', 0, 0, NULL, ''),
      (2, 1, NULL, 'stolen', 'https://example.com/stolen', 0, 0, NULL, ''),
      (3, 1, NULL, 'stolen', 'https://example.com/thief', 0, 0, NULL, ''),
      (4, 1, 5, 'branded', 'https://example.com/branded', 0, 0, NULL, ''),
      (5, 1, NULL, 'binned', 'https://example.com/binned', 0, 0, 1, '');
    INSERT INTO files (id, user_id, alias, name, filename, search, storage, size, created_at)
      VALUES (7, 1, 'paper', 'paper', 'paper.txt', 'paper', 'none', 1, 0);
    INSERT INTO bio_pages (id, user_id, alias, name, theme, search, created_at)
      VALUES (8, 1, 'me', 'Me', 'light', 'me', 0);
    INSERT INTO aliases (domain_id, alias, kind, target_id) VALUES
      (0, 'stolen', 'link', 3), (0, 'orphan', 'link', 99), (0, 'orphan-file', 'file', 99), (0, 'binned', 'link', 5);`);
  database.close();
}

describe('a database in which links and aliases diverged', () => {
  test('is repaired by the upgrade if the alias is free', async () => {
    makeDamagedDatabase();
    const app = await start({ fresh: true });
    expect(await follow(app, 'lost')).toBe('https://example.com/lost');
    expect(await follow(app, 'stolen')).toBe('https://example.com/thief');
    expect(await follow(app, 'me')).toBe(200);
    const rows = app.databases.main
      .prepare("SELECT domain_id || '/' || alias || ' ' || kind || ' ' || target_id FROM aliases ORDER BY 1")
      .pluck()
      .all();
    expect(rows).toEqual([
      '0/lost link 1',
      '0/me bio 8',
      '0/paper file 7',
      '0/stolen link 3',
      '5/branded link 4',
    ]);
    expect((await check()).lines).toEqual([
      'aliases    link 2 has the alias /stolen, which serves link 3; change one of the two aliases',
    ]);
  });

  test('is reported by check, case by case, and a saved link regains its alias', async () => {
    let app = await start();
    const ids = [await add(app, { custom: 'mine' }), await add(app, { custom: 'yours' })];
    const file = await upload(app, 'content', { custom: 'paper' });
    const { main } = app.databases;
    main.exec("DELETE FROM aliases WHERE alias IN ('mine', 'paper')");
    main.exec(`UPDATE aliases SET target_id = ${ids[0]} WHERE alias = 'yours'`);
    main.exec("INSERT INTO aliases VALUES (0, 'idle', 'bio', 4)");
    const { code, lines } = await check();
    expect([code, ...lines.sort()]).toEqual([
      1,
      'aliases    /idle is reserved for bio page 4, which no longer exists',
      `aliases    file ${file.id} is not served at /paper; save it again to reclaim the alias`,
      `aliases    link ${ids[0]} is not served at /mine; save it again to reclaim the alias`,
      `aliases    link ${ids[1]} has the alias /yours, which serves link ${ids[0]}; change one of the two aliases`,
    ]);
    app = await restart();
    expect(await follow(app, 'mine')).toBe(404);
    await app.request('PUT', `/api/url/${ids[0]}/update`, { body: { title: 'Saved' } });
    await app.request('PUT', `/api/file/${file.id}/update`, { body: { name: 'Saved' } });
    expect(await follow(app, 'mine')).toBe('https://example.com/');
    expect(await follow(app, 'paper')).toBe(200);
  });
});
