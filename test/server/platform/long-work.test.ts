import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { searchText } from '../../../server/content/links/queries.ts';
import { emptiedTables } from '../../../server/identity/users/removal.ts';
import { unbinding } from '../../../server/network/domains/unbind.ts';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

let folder: string;
let server: TestApp;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-long-work-'));
  server = await startApp({ folder });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  await server.close();
  server = await startApp({ folder });
  server.app.startJobs();
}

const count = (sql: string): number => Number(server.databases.main.prepare(sql).pluck().get());

/** Adds links straight to the database; their aliases are the prefix and a number from 0. */
function addLinks(prefix: string, many: number, domain: number | null = null): void {
  const { main } = server.databases;
  main
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < @many - 1)
       INSERT INTO links (user_id, domain_id, alias, url, created_at, updated_at, search)
       SELECT 1, @domain, @prefix || i, 'https://example.com/' || ifnull(cast(@domain AS INTEGER), 'own') || '/' || i, 1, 1, @prefix || i FROM n`,
    )
    .run({ prefix, many, domain });
  main
    .prepare(
      `INSERT OR IGNORE INTO aliases (domain_id, alias, kind, target_id)
       SELECT ifnull(domain_id, 0), alias, 'link', id FROM links`,
    )
    .run();
}

async function follow(path: string, host?: string): Promise<string | number> {
  const { location, status } = await visit(
    server,
    path,
    host === undefined ? {} : { headers: { Host: host } },
  );
  return location ?? status;
}

/** What a number is in each turn of the event loop until it is `end`. */
async function watched(number: () => number, end: number): Promise<number[]> {
  const seen = [number()];
  while (seen.at(-1) !== end) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(number());
  }
  return seen;
}

const jumps = (seen: readonly number[]) =>
  seen.slice(1).map((each, index) => Math.abs(each - (seen[index] ?? each)));

describe('deleting a domain with thousands of links', () => {
  const onDomain = 'SELECT count(*) FROM aliases WHERE domain_id <> 0';

  test('moves them in slices, and each keeps its destination', async () => {
    const domain = addDomain(server, 'go.example.com', 1);
    addLinks('a', 1000);
    addLinks('a', 1000, domain);
    const reply = server.request('DELETE', `/api/domain/${domain}/delete`);
    const seen = await watched(() => count(onDomain), 0);
    expect((await reply).status).toBe(200);
    expect(Math.max(...jumps(seen))).toBeLessThanOrEqual(200);
    expect(count('SELECT count(*) FROM links WHERE domain_id IS NOT NULL')).toBe(0);
    expect(await follow('/a7')).toBe('https://example.com/own/7');
    expect(await follow('/a7-2')).toBe(`https://example.com/${domain}/7`);
    expect(count('SELECT count(*) FROM domains')).toBe(0);
  });

  test('stops its routing and removes it from lists before the first link has moved', async () => {
    const domain = addDomain(server, 'go.example.com', 1);
    addLinks('a', 2000, domain);
    expect(await follow('/a1', 'go.example.com')).toBe(`https://example.com/${domain}/1`);
    const reply = server.request('DELETE', `/api/domain/${domain}/delete`).catch(() => {});
    await expect.poll(() => count('SELECT count(*) FROM domains WHERE removed_at IS NOT NULL')).toBe(1);
    expect(count(onDomain)).toBeGreaterThan(0);
    await server.close();
    server = await startApp({ folder });
    expect(count(onDomain)).toBeGreaterThan(0);
    expect(await follow('/a1999', 'go.example.com')).toBe(404);
    expect((await server.request('GET', '/api/domains')).body.data.result).toBe(0);
    expect((await server.request('GET', `/api/domain/${domain}`)).status).toBe(404);
    await reply;
  });

  test('continues after a restart', async () => {
    const domain = addDomain(server, 'go.example.com', 1);
    addLinks('a', 2000, domain);
    const reply = server.request('DELETE', `/api/domain/${domain}/delete`).catch(() => {});
    await expect.poll(() => count(onDomain)).toBeLessThan(2000);
    await server.close();
    await reply;
    server = await startApp({ folder });
    expect(count(onDomain)).toBeGreaterThan(0);
    await restart();
    await expect.poll(() => count('SELECT count(*) FROM domains'), { timeout: 10_000 }).toBe(0);
    expect(await follow('/a1999')).toBe(`https://example.com/${domain}/1999`);
  });

  test('needs few lookups for a new alias, however many with the same prefix are taken', () => {
    const database = openInMemory(migrations);
    const insert = database.prepare("INSERT INTO aliases VALUES (?, ?, 'file', ?)");
    const stem = 'x'.repeat(75);
    database.exec(`INSERT INTO domains (id, host, created_at) VALUES (1, 'go.example.com', 1)`);
    for (let number = 100; number < 300; number += 1) {
      insert.run(0, stem + number, number);
      insert.run(1, stem + number, 1000 + number);
    }
    let asked = 0;
    const unbind = unbinding({
      database,
      searchText,
      randomAlias: (length) => {
        asked += 1;
        return `${'r'.repeat(length)}${asked}`;
      },
      onUnbound() {},
    });
    unbind.mark(1, 1);
    while (unbind.step());
    const aliases = database
      .prepare<[], string>('SELECT alias FROM aliases WHERE target_id > 1000')
      .pluck()
      .all();
    expect(new Set(aliases).size).toBe(200);
    expect(aliases.filter((alias) => [...alias].length > 80)).toEqual([]);
    // Eight got a number; each of the others is asked for once.
    expect(asked).toBe(192);
    database.close();
  });
});

describe('purging a link with many clicks', () => {
  function addClicks(link: number, many: number): void {
    server.databases.main.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
        INSERT INTO clicks (link_id, at, visitor, source, bot, country, region, city, referrer, referrer_path, browser,
          os, device, language, utm_source, utm_medium, utm_campaign)
        SELECT ${link}, 1700000000000 + i, i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM n`);
  }
  const clicks = () => count('SELECT count(*) FROM clicks');
  const traces = () =>
    ['clicks', 'link_clicks', 'visitors', 'gone_links'].map((table) =>
      count(`SELECT count(*) FROM ${table}`),
    );

  test('frees its alias and hides its clicks immediately, and removes them in slices', async () => {
    addLinks('gone', 1);
    addClicks(1, 20_000);
    await server.request('GET', '/api/stats');
    expect((await server.request('GET', '/api/clicks')).body.data.result).toBe(20_000);
    const reply = await server.request('DELETE', '/api/url/1/delete?force=1');
    expect(reply.body.message).toBe('The link was permanently deleted.');
    expect(clicks()).toBeGreaterThan(0);
    expect(await follow('/gone0')).toBe(404);
    expect((await server.request('GET', '/api/clicks')).body.data.result).toBe(0);
    const again = await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/again', custom: 'gone0' },
    });
    expect(again.status).toBe(200);
    expect(await follow('/gone0')).toBe('https://example.com/again');
    await expect.poll(() => count('SELECT count(*) FROM gone_links'), { timeout: 10_000 }).toBe(0);
    await server.request('GET', '/api/stats');
    // The visit of a moment ago: the click, the way to it, and its visitor on the link and in the account.
    expect(traces()).toEqual([1, 1, 2 + count('SELECT count(*) FROM visitors WHERE scope = 1') - 1, 0]);
    expect(count('SELECT count(*) FROM rollups WHERE scope = 0 AND scope_id = 1')).toBe(0);
  });

  test('continues after a restart', async () => {
    addLinks('gone', 1);
    addClicks(1, 20_000);
    await server.request('GET', '/api/stats');
    await server.request('DELETE', '/api/url/1/delete?force=1');
    await server.close();
    server = await startApp({ folder });
    expect(clicks()).toBeGreaterThan(0);
    await restart();
    await expect.poll(() => count('SELECT count(*) FROM gone_links'), { timeout: 10_000 }).toBe(0);
    expect(clicks()).toBe(0);
  });
});

describe('deleting an account with thousands of links', () => {
  const left = () => count('SELECT count(*) FROM links WHERE user_id <> 1');

  function addTheirs(user: number, many: number): void {
    addLinks('theirs', many);
    server.databases.main.prepare("UPDATE links SET user_id = ? WHERE alias LIKE 'theirs%'").run(user);
  }

  test('hides it and frees its names immediately, and continues after a restart', async () => {
    const bert = secondAccount(server);
    addTheirs(bert.id, 3000);
    expect(await follow('/theirs2999')).toBe('https://example.com/own/2999');
    const reply = server.request('DELETE', `/api/user/${bert.id}/delete`).catch(() => {});
    await expect.poll(left, { interval: 1 }).toBeLessThan(3000);
    await server.close();
    await reply;
    server = await startApp({ folder });
    expect(left()).toBeGreaterThan(0);
    expect(await follow('/theirs2999')).toBe(404);
    expect((await server.request('GET', `/api/user/${bert.id}`)).status).toBe(404);
    expect((await server.request('GET', '/api/users')).body.data).toHaveLength(1);
    expect((await server.request('GET', '/api/account', { key: bert.key })).status).toBe(401);
    const again = { username: 'bert', email: 'bert@example.com', password: 'correct horse' };
    expect((await server.request('POST', '/api/user/add', { body: again })).status).toBe(200);
    const mine = { url: 'https://example.com/mine', custom: 'theirs2999' };
    expect((await server.request('POST', '/api/url/add', { body: mine })).status).toBe(200);
    expect(await follow('/theirs2999')).toBe('https://example.com/mine');
    await restart();
    await expect
      .poll(() => count(`SELECT count(*) FROM users WHERE id = ${bert.id}`), { timeout: 20_000 })
      .toBe(0);
    expect(left()).toBe(0);
    expect(await follow('/theirs2999')).toBe('https://example.com/mine');
    expect(count("SELECT count(*) FROM aliases WHERE alias LIKE 'theirs%'")).toBe(1);
  });

  test('runs in slices', async () => {
    const bert = secondAccount(server);
    addTheirs(bert.id, 3000);
    const reply = server.request('DELETE', `/api/user/${bert.id}/delete`);
    const seen = await watched(left, 0);
    expect(Math.max(...jumps(seen))).toBeLessThanOrEqual(1000);
    expect((await reply).body.message).toBe('The account was deleted.');
  });

  test('first empties every table that may have many rows of an account', () => {
    const { main } = server.databases;
    const tables = main
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all();
    const owned = tables.filter((table) =>
      main
        .prepare<[string], { table: string; on_delete: string }>(
          'SELECT "table", on_delete FROM pragma_foreign_key_list(?)',
        )
        .all(table)
        .some((key) => key.table === 'users' && key.on_delete === 'CASCADE'),
    );
    // A few rows of each account, which go at once.
    const few = [
      'avatars',
      'click_counts',
      'code_rows',
      'identities',
      'keys',
      'known_networks',
      'link_health_mails',
      'idempotent_counts',
      'invitation_bars',
      'link_counts',
      'members',
      'passkeys',
      'password_resets',
      'recovery_codes',
      'stored_bytes',
      'team_invitations',
    ];
    const others = [...emptiedTables, ...few];
    expect(owned.filter((table) => !others.includes(table))).toEqual([]);
  });
});

describe('a webhook with 10,000 waiting messages', () => {
  const waiting = "SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting'";
  const all = 'SELECT count(*) FROM webhook_deliveries';
  let id: number;
  beforeEach(async () => {
    const body = { url: 'https://hooks.example.com/in', events: ['*'] };
    id = (await server.request('POST', '/api/webhook/add', { body })).body.id;
    server.databases.main
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO webhook_deliveries (webhook_id, message, type, body, state, next_at, created_at)
         SELECT ?, 'msg_' || i, 'link.created', '{}', 'waiting', 9e12, 1 FROM n`,
      )
      .run(id);
  });

  test('is deleted in slices, and is in no list before its log is gone', async () => {
    const reply = server.request('DELETE', `/api/webhook/${id}/delete`);
    const seen = await watched(() => count(all), 0);
    expect((await reply).status).toBe(200);
    expect(Math.max(...jumps(seen))).toBeLessThanOrEqual(4000);
    await expect.poll(() => count('SELECT count(*) FROM webhooks')).toBe(0);
  });

  test('is gone for its owner immediately, and its log after a restart', async () => {
    const reply = server.request('DELETE', `/api/webhook/${id}/delete`).catch(() => {});
    await watched(() => count('SELECT count(*) FROM webhooks WHERE removed_at IS NOT NULL'), 1);
    await server.close();
    server = await startApp({ folder });
    expect(count(all)).toBeGreaterThan(0);
    expect((await server.request('GET', '/api/webhooks')).body.data.result).toBe(0);
    expect((await server.request('GET', `/api/webhook/${id}`)).status).toBe(404);
    expect((await server.request('GET', `/api/webhook/${id}/deliveries`)).status).toBe(404);
    await restart();
    await expect.poll(() => count(all), { timeout: 20_000 }).toBe(0);
    await expect.poll(() => count('SELECT count(*) FROM webhooks')).toBe(0);
    await reply;
  });

  test('drops them in slices when it is disabled', async () => {
    const reply = server.request('PUT', `/api/webhook/${id}/update`, { body: { enabled: false } });
    const seen = await watched(() => count(waiting), 0);
    expect((await reply).status).toBe(200);
    expect(Math.max(...jumps(seen))).toBeLessThanOrEqual(4000);
    const { deliveries } = (await server.request('GET', `/api/webhook/${id}/deliveries`)).body.data;
    expect(deliveries[0].state).toBe('failed');
  });
});
