import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { projectRoot } from '../../../build/processes.ts';
import { linkLookup } from '../../../server/visits/redirects/link-lookup.ts';
import { redirectQueries } from '../../../server/visits/redirects/queries.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { lan, lanNetwork } from '../../support/lan.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
let made = 0;

beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
});

afterAll(() => server.close());

/** Adds a link and follows it, so that it is remembered. */
async function remembered(fields: object = {}): Promise<{ id: number; alias: string }> {
  made += 1;
  const alias = `remembered-${made}`;
  const body = { url: `https://example.com/${made}`, custom: alias, ...fields };
  const reply = await server.request('POST', '/api/url/add', { body });
  expect(reply.body).toMatchObject({ error: 0 });
  expect((await visit(server, `/${alias}`)).status).toBe(302);
  return { id: reply.body.id, alias };
}

async function change(method: string, path: string, body?: object): Promise<void> {
  const reply = await server.request(method, path, { body });
  expect(reply.body).toMatchObject({ error: 0 });
}

const placeOf = async (alias: string) => (await visit(server, `/${alias}`)).location;
const statusOf = async (alias: string) => (await visit(server, `/${alias}`)).status;

/** A program that writes into the database by itself. */
const writer = (sql: string) => {
  const door = JSON.stringify(join(projectRoot, 'server/platform/database/connect.ts'));
  const file = JSON.stringify(server.databases.file);
  return `import(${door}).then(({ connect }) => {
    const connection = connect(${file}, 'FULL');
    connection.exec(${JSON.stringify(sql)});
    connection.close();
  });`;
};

describe('a cached link redirects to its current destination after a change', () => {
  const elsewhere = 'https://example.com/elsewhere';

  test('by a request', async () => {
    const { id, alias } = await remembered();
    await change('PUT', `/api/url/${id}/update`, { url: elsewhere });
    expect(await placeOf(alias)).toBe(elsewhere);
    await change('PUT', `/api/url/${id}/update`, { custom: `${alias}-moved` });
    expect(await statusOf(alias)).toBe(404);
    expect(await placeOf(`${alias}-moved`)).toBe(elsewhere);
    await change('DELETE', `/api/url/${id}/delete`);
    expect(await statusOf(`${alias}-moved`)).toBe(404);
  });

  test('again and again, with another change in between', async () => {
    const { id, alias } = await remembered();
    const other = await remembered();
    for (let round = 0; round < 5; round += 1) {
      await change('PUT', `/api/url/${id}/update`, { url: `${elsewhere}/${round}` });
      expect(await placeOf(alias)).toBe(`${elsewhere}/${round}`);
      await change('PUT', `/api/url/${other.id}/update`, { title: `Round ${round}` });
      expect(await placeOf(alias)).toBe(`${elsewhere}/${round}`);
    }
  });

  test('by another process', async () => {
    const { id, alias } = await remembered();
    const program = writer(`UPDATE links SET url = '${elsewhere}' WHERE id = ${id}`);
    await promisify(execFile)(process.execPath, ['--eval', program]);
    expect(await placeOf(alias)).toBe(elsewhere);
  });

  test('by a thread with its own connection', async () => {
    const { id, alias } = await remembered();
    const program = writer(`UPDATE links SET url = '${elsewhere}' WHERE id = ${id}`);
    await once(new Worker(program, { eval: true }), 'exit');
    expect(await placeOf(alias)).toBe(elsewhere);
  });

  test('with more others than are evicted one by one, and than are recorded', async () => {
    const { id, alias } = await remembered();
    for (const rows of [150, 300, 1500]) {
      const url = `${elsewhere}/${rows}`;
      server.databases.main.transaction(() => {
        server.databases.main.prepare('UPDATE links SET url = ? WHERE id = ?').run(url, id);
        const touch = server.databases.main.prepare('UPDATE links SET title = title WHERE id = 1');
        for (let row = 0; row < rows; row += 1) touch.run();
      })();
      expect(await placeOf(alias)).toBe(url);
    }
  });

  test('of its account', async () => {
    const { alias } = await remembered();
    const { main } = server.databases;
    main.prepare('UPDATE users SET trashed_at = 1 WHERE id = 1').run();
    expect(await statusOf(alias)).toBe(404);
    main.prepare('UPDATE users SET trashed_at = NULL WHERE id = 1').run();
    expect(await statusOf(alias)).toBe(302);
  });

  test('of its domain', async () => {
    const { main } = server.databases;
    main.exec(
      `INSERT INTO domains (id, user_id, host, active, created_at) VALUES (90, 1, 'go.example', 1, 0)`,
    );
    const { id } = await remembered();
    main.exec(`UPDATE links SET domain_id = 90, expires_at = 1 WHERE id = ${id};
      UPDATE aliases SET domain_id = 90 WHERE kind = 'link' AND target_id = ${id}`);
    const alias = `remembered-${made}`;
    const onDomain = async () =>
      (await visit(server, `/${alias}`, { headers: { host: 'go.example' } })).location;
    expect(await onDomain()).toBeUndefined();
    main.exec(`UPDATE domains SET redirect_expired = '${elsewhere}' WHERE id = 90`);
    expect(await onDomain()).toBe(elsewhere);
  });

  test('of a link that it redirects to, which now leads back', async () => {
    const [first, end] = [await remembered(), await remembered()];
    const lead = server.databases.main.prepare('UPDATE links SET url = ? WHERE id = ?');
    lead.run(`${server.origin}/not-there-yet`, first.id);
    expect(await statusOf(first.alias)).toBe(302);
    await change('POST', '/api/url/add', { url: 'https://example.com/', custom: 'not-there-yet' });
    expect(await statusOf(first.alias)).toBe(302);
    const last = await server.request('GET', '/api/urls?limit=1');
    lead.run(`${server.origin}/${end.alias}`, last.body.data.urls[0].id);
    expect(await statusOf(first.alias)).toBe(410);
  });
});

describe('a cached link', () => {
  let lookup: ReturnType<typeof linkLookup>;
  let reads: string[];
  let place: string;

  beforeEach(() => {
    reads = [];
    place = '';
    const queries = redirectQueries(server.databases.clicks);
    lookup = linkLookup({
      queries: {
        ...queries,
        findLink(domainId, alias) {
          reads.push(alias);
          return queries.findLink(domainId, alias);
        },
      },
      isOwnHost: () => true,
      isOwnAddress: () => false,
      ownPlace: () => place,
    });
  });

  test('stays when something else changes', async () => {
    const [one, other] = [await remembered(), await remembered()];
    const find = () => [one, other].map(({ alias }) => lookup.findLink(0, alias));
    lookup.refresh();
    find();
    await change('PUT', `/api/url/${other.id}/update`, { title: 'Another title' });
    expect(lookup.refresh()).toBe(true);
    find();
    await change('POST', '/api/url/add', { url: 'https://example.com/new' });
    expect(lookup.refresh()).toBe(true);
    find();
    expect(reads).toEqual([one.alias, other.alias, other.alias]);
  });

  test('is evicted by a change of any column that a link is read from', async () => {
    const { alias } = await remembered();
    const row = redirectQueries(server.databases.clicks).findLink(0, alias);
    const { main } = server.databases;
    for (const column of [...Object.keys(row ?? {}), 'trashed_at']) {
      lookup.refresh();
      lookup.findLink(0, alias);
      reads = [];
      main.exec(`UPDATE links SET ${column} = ${column} WHERE id = ${row?.id}`);
      lookup.refresh();
      lookup.findLink(0, alias);
      expect(reads, column).toEqual([alias]);
    }
  });
});

test('links that became a loop when a network was joined redirect nobody in circles', async () => {
  let addresses: string[] = [];
  const clock = testClock();
  const joining = await startApp({
    clock,
    settings: { sharing: true },
    network: { ...lanNetwork(() => joining), addresses: () => addresses },
  });
  try {
    const add = (custom: string, to: string) =>
      joining.request('POST', '/api/url/add', {
        body: { custom, url: `http://${lan}:${joining.port}/${to}` },
      });
    for (const [custom, to] of [
      ['one', 'two'],
      ['two', 'one'],
    ] as const)
      expect((await add(custom, to)).body.error).toBe(0);
    expect((await visit(joining, '/one')).status).toBe(302);
    addresses = [lan];
    clock.advance(6_000);
    expect((await visit(joining, '/one')).status).not.toBe(302);
    addresses = [];
    clock.advance(6_000);
    expect((await visit(joining, '/one')).status).toBe(302);
  } finally {
    await joining.close();
  }
});
