import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkQueries } from '../../../server/content/links/queries.ts';
import { type RawReply, startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { hashingGate } from '../../support/hashing-gate.ts';
import { writeMigratedDatabase } from '../../support/migrated-database.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { tapStatements } from '../../support/tapped-statements.ts';
import { newTeam } from '../../support/team.ts';

const day = 86_400_000;
const clock = testClock();
let folder: string;
let server: TestApp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-test-'));
  writeMigratedDatabase(folder);
  server = await startApp({ folder, clock });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** A path of its own for each test, so that none finds the links of another. */
let count = 0;
let place: string;
beforeEach(() => {
  count += 1;
  place = `https://example.com/place-${count}`;
});

function add(body: object, headers: Record<string, string> = {}): Promise<RawReply> {
  return server.request('POST', '/api/url/add', { body, headers });
}

describe('an existing link', () => {
  test.each([
    ['https://EXAMPLE.com/%c3%a4/x', 'https://example.com:443/%C3%A4/x'],
    ['HTTP://found.example', 'http://found.example.:80/'],
    ['https://dots.example./a?b=./.:c', 'https://dots.example/a?b=./.:c'],
  ])('is found by its destination, in any spelling: %s', async (first, again) => {
    const { id, shorturl } = (await add({ url: first })).body;
    expect((await add({ url: again, ifexists: 'return' })).body).toEqual({
      error: 0,
      id,
      shorturl,
      existing: true,
    });
  });

  test.each(['?b=2&a=1', '?a=1&b=2#part', '/', '?A=1&b=2'])('is different with %s', async (end) => {
    const { id } = (await add({ url: `${place}?a=1&b=2` })).body;
    const reply = (await add({ url: `${place}${end}`, ifexists: 'return' })).body;
    expect(reply.existing).toBe(false);
    expect(reply.id).not.toBe(id);
  });

  test('is updated with what is sent, can be undone, and is found by its alias', async () => {
    const { id } = (await add({ url: place, custom: 'update-me', title: 'Before' })).body;
    const target = 'https://example.com/elsewhere';
    const reply = await add({ url: target, custom: 'update-me', title: 'After', ifexists: 'update' });
    expect(reply.body).toMatchObject({ id, existing: true });
    const visit = () => fetch(`${server.origin}/update-me`, { redirect: 'manual' });
    expect((await visit()).headers.get('location')).toBe(target);
    const [change] = (await server.request('GET', `/api/url/${id}/history`)).body.data.changes;
    await server.request('POST', `/api/undo/${change.id}`);
    expect((await visit()).headers.get('location')).toBe(place);
  });

  test('keeps the spelling of its destination when found by it and updated', async () => {
    const { id } = (await add({ url: `${place}/%c3` })).body;
    await add({ url: `${place}/%C3`, title: 'Named', ifexists: 'update' });
    const { details } = (await server.request('GET', `/api/url/${id}`)).body;
    expect(details).toMatchObject({ longurl: `${place}/%c3`, title: 'Named' });
  });

  test('is unchanged while locked, and does not exist in the trash', async () => {
    const { id } = (await add({ url: place, locked: true })).body;
    expect(await add({ url: place, title: 'New', ifexists: 'update' })).toMatchObject({
      status: 400,
      body: { code: 'locked' },
    });
    await server.request('PUT', `/api/url/${id}/update`, { body: { locked: false } });
    await server.request('DELETE', `/api/url/${id}/delete`);
    const again = (await add({ url: place, ifexists: 'return' })).body;
    expect(again.existing).toBe(false);
    expect((await fetch(again.shorturl, { redirect: 'manual' })).headers.get('location')).toBe(place);
  });

  test('is duplicated without the field, with the usual reply', async () => {
    const first = (await add({ url: place })).body;
    const second = (await add({ url: place })).body;
    expect(second.id).not.toBe(first.id);
    expect(Object.keys(second)).toEqual(['error', 'id', 'shorturl']);
  });

  test("is never somebody else's", async () => {
    const other = secondAccount(server, 'otto');
    await add({ url: place, custom: 'annas' });
    const reply = await other.request('POST', '/api/url/add', { body: { url: place, ifexists: 'return' } });
    expect(reply.body.existing).toBe(false);
    const taken = { url: place, custom: 'annas', ifexists: 'update' };
    expect((await other.request('POST', '/api/url/add', { body: taken })).body.code).toBe('alias_taken');
  });

  test('is found on its domain and by its member, however many others have the same destination', async () => {
    const team = await newTeam(server, 'theo');
    const carl = await team.join('conny', 'contributor', true);
    const domain = addDomain(server, 'many.example.com', team.id);
    const { main } = server.databases;
    const insert = main.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
       INSERT INTO links (user_id, created_by, domain_id, alias, url, archived, created_at, updated_at, search)
       SELECT @team, @creator, @domain, @prefix || i, @url, 0, 1, 1, '' FROM n`,
    );
    const others = { team: team.id, creator: team.owner.id, url: place };
    insert.run({ ...others, domain, prefix: 'elsewhere' });
    insert.run({ ...others, domain: null, prefix: 'hers' });
    const own = (await carl.inTeam('POST', '/api/url/add', { body: { url: place } })).body;
    const send = (body: object) =>
      carl.inTeam('POST', '/api/url/add', { body: { url: place, ifexists: 'return', ...body } });
    expect((await send({})).body).toMatchObject({ id: own.id, existing: true });
    const there = (await send({ domain: 'many.example.com' })).body;
    expect(there.existing).toBe(false);
    expect((await send({ domain: 'many.example.com' })).body).toMatchObject({ id: there.id, existing: true });
    const visit = await fetch(own.shorturl, { redirect: 'manual' });
    expect(visit.headers.get('location')).toBe(place);
  });

  test('is only searched among links with that destination, on its domain and in order', async () => {
    const taps = tapStatements();
    const queries = linkQueries(server.databases.main);
    const looked: string[] = [];
    const isSame = (url: string) => looked.push(url) > 0;
    const search = { userId: 1, url: `${place}/X`, domainId: null, isSame };
    for (const path of ['X', 'x', 'X']) await add({ url: `${place}/${path}` });
    taps.take();
    for (const more of [{}, { creator: 1 }])
      expect(queries.findByDestination({ ...search, ...more })).toBeDefined();
    const ran = [...taps.take()].filter((sql) => sql.includes('SELECT id, url FROM links'));
    taps.stop();
    expect(looked).toHaveLength(2);
    const plans = ran.map((sql) =>
      server.databases.main
        .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all({ userId: 1, url: place, domainId: null, archived: 0, creator: 1 })
        .map(({ detail }) => detail),
    );
    const start =
      'SEARCH links USING INDEX links_by_destination (user_id=? AND <expr>=? AND <expr>=? AND archived=?';
    expect(plans.sort()).toEqual([[`${start} AND <expr>=?)`], [`${start})`]]);
  });

  test('is created once by simultaneous requests', async () => {
    const body = { url: place, password: 'slow to hash', ifexists: 'return' };
    const replies = await Promise.all([1, 2, 3].map(() => add(body)));
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
  });

  test('in a team is found and changed only by those who may', async () => {
    const team = await newTeam(server, 'tara');
    const clara = await team.join('clara', 'contributor');
    const carl = await team.join('carl', 'contributor', true);
    const { id } = (await team.owner.inTeam('POST', '/api/url/add', { body: { url: place } })).body;
    const send = (who: typeof clara, ifexists: string) =>
      who.inTeam('POST', '/api/url/add', { body: { url: place, ifexists } });
    expect((await send(clara, 'return')).body).toMatchObject({ id, existing: true });
    expect(await send(clara, 'update')).toMatchObject({ status: 403, body: { code: 'role_too_low' } });
    const own = (await send(carl, 'return')).body;
    expect(own.existing).toBe(false);
    expect((await send(carl, 'update')).body).toMatchObject({ id: own.id, existing: true });
  });
});

describe('a request with an Idempotency-Key', () => {
  const replayed = (reply: RawReply) => reply.headers.get('idempotency-replayed');

  test('gets the same reply when sent again, even after a restart', async () => {
    const first = await add({ url: place, title: 'Once' }, { 'idempotency-key': 'order 1' });
    const again = await add({ title: 'Once', url: place }, { 'idempotency-key': 'order 1' });
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    expect(again.body).toEqual(first.body);
    await server.close();
    server = await startApp({ folder, clock });
    const later = await add({ url: place, title: 'Once' }, { 'idempotency-key': 'order 1' });
    // The port of a test's server is another one after its start; the id and the alias are what was made.
    expect(later.body).toEqual(first.body);
    const { data } = (await server.request('GET', '/api/urls?q=Once')).body;
    expect(data.result).toBe(1);
  });

  test('is refused with another body, and free after a day', async () => {
    const headers = { 'idempotency-key': 'order 2' };
    const first = (await add({ url: place }, headers)).body;
    expect(await add({ url: `${place}/other` }, headers)).toMatchObject({
      status: 400,
      body: { code: 'idempotency_mismatch', field: 'Idempotency-Key' },
    });
    clock.advance(day + 1);
    const later = await add({ url: `${place}/other` }, headers);
    expect(replayed(later)).toBeNull();
    expect(later.body.id).not.toBe(first.id);
  });

  test('is refused again in the same words', async () => {
    await add({ url: place, custom: 'mine-alone' });
    const headers = { 'idempotency-key': 'order 3' };
    const first = await add({ url: place, custom: 'mine-alone' }, headers);
    const again = await add({ url: place, custom: 'mine-alone' }, headers);
    expect([first.status, replayed(first), replayed(again)]).toEqual([400, null, 'true']);
    expect(again.body).toEqual(first.body);
  });

  test('is refused while the first is in progress', async () => {
    const gate = hashingGate();
    const headers = { 'idempotency-key': 'order 4' };
    const body = { url: place, password: 'slow' };
    const first = add(body, headers);
    await expect.poll(() => gate.held()).toBe(1);
    const second = await add(body, headers);
    gate.open();
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_in_flight' } });
    expect((await add(body, headers)).body).toEqual((await first).body);
  });

  test.each(['', 'x'.repeat(256), 'schlüssel'])('is refused with the key "%s"', async (key) => {
    const reply = await add({ url: place }, { 'idempotency-key': key });
    expect(reply).toMatchObject({ status: 400, body: { field: 'Idempotency-Key' } });
  });

  test('is refused once an account has too many, without scanning them', async () => {
    const { main } = server.databases;
    const most = 50_000;
    const total = () => main.prepare('SELECT total FROM idempotent_counts WHERE user_id = 1').pluck().get();
    const rows = () =>
      main.prepare('SELECT count(*) FROM idempotent_replies WHERE user_id = 1').pluck().get();
    await add({ url: place }, { 'idempotency-key': 'order 6' });
    await add({ url: place }, { 'idempotency-key': 'order 6' });
    expect(total()).toBe(rows());
    main.prepare('UPDATE idempotent_counts SET total = total + ?').run(most);
    const refused = await add({ url: place }, { 'idempotency-key': 'order 7' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'idempotency_full' } });
    // What was answered before is answered again all the same.
    expect(replayed(await add({ url: place }, { 'idempotency-key': 'order 6' }))).toBe('true');
    main.prepare('UPDATE idempotent_counts SET total = total - ?').run(most);
    clock.advance(day + 1);
    await add({ url: place, title: 'Anew' }, { 'idempotency-key': 'order 6' });
    expect(total()).toBe(rows());
  });

  test("belongs to one person: somebody else's identical key creates another link", async () => {
    const headers = { 'idempotency-key': 'order 5' };
    const mine = (await add({ url: place }, headers)).body;
    const team = await newTeam(server, 'tom');
    const reply = await server.request('POST', '/api/url/add', {
      key: team.owner.key,
      body: { url: place },
      headers,
    });
    expect(replayed(reply)).toBeNull();
    expect(reply.body.id).not.toBe(mine.id);
  });

  test('stores neither the key nor a password, and nothing at all after a day', async () => {
    server.databases.main.exec('DELETE FROM idempotent_replies');
    await add({ url: place, password: 'hush-hush' }, { 'idempotency-key': 'secret-key' });
    const rows = () => server.databases.main.prepare('SELECT * FROM idempotent_replies').all();
    expect(rows()).not.toEqual([]);
    const stored = rows().flatMap((row) => Object.values(row as Record<string, unknown>));
    const text = stored.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)));
    expect(text.join('\n')).not.toMatch(/hush-hush|secret-key/);
    clock.advance(day + 1);
    server.app.startJobs();
    clock.advance(3_600_000);
    await expect.poll(() => rows().length).toBe(0);
    const totals = server.databases.main.prepare('SELECT total FROM idempotent_counts').pluck().all();
    expect(new Set(totals)).toEqual(new Set([0]));
  });
});
