import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectEngine } from '../../../server/network/fleet/engine.ts';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { JoinRefused, joinFleet } from '../../../server/network/fleet/join.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';
import { readConfig } from '../../../server/platform/config.ts';
import { connect } from '../../../server/platform/database/connect.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { dayMs } from '../../../server/visits/clicks/dimensions.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { runningClock } from '../../support/clock.ts';
import {
  browser,
  fleetBench,
  fleetUrl,
  newToken,
  removeFolders,
  startEdge,
  startOrigin,
  stateIs,
} from '../../support/fleet.ts';
import { hasNats, natsMissing, natsUsers, startNats } from '../../support/nats.ts';
import { visit } from '../../support/visits.ts';

if (!hasNats) console.warn(natsMissing);

async function addLink(server: TestApp, alias: string, more: object = {}): Promise<number> {
  const { body } = await server.request('POST', '/api/url/add', {
    body: { url: `https://example.org/${alias}`, custom: alias, ...more },
  });
  expect(body).toMatchObject({ error: 0 });
  return body.id;
}

/** All clicks of a link, as its statistics have them. */
async function clicksOf(server: TestApp, id: number): Promise<number> {
  const { body } = await server.request('GET', `/api/url/${id}/stats`);
  expect(body).toMatchObject({ error: 0 });
  return body.data.clicks;
}

/** A pause between two questions to the interface, which counts them. */
const calmly = { timeout: 20_000, interval: 250 };

describe.skipIf(!hasNats)('a fleet', () => {
  const fleet = fleetBench();

  it('serves from an edge what was created, updated and deleted at the origin', async () => {
    const id = await addLink(fleet.server, 'moves');
    const location = async () => (await fleet.edge.visit('/moves')).location;
    await expect.poll(location).toBe('https://example.org/moves');
    await fleet.server.request('PUT', `/api/url/${id}/update`, {
      body: { url: 'https://example.org/elsewhere' },
    });
    await expect.poll(location).toBe('https://example.org/elsewhere');
    await fleet.server.request('DELETE', `/api/url/${id}/delete`);
    await expect.poll(async () => (await fleet.edge.visit('/moves')).status).toBe(404);
  });

  it("names a domain's apps on an edge as at the origin", async () => {
    const { main } = fleet.server.databases;
    main
      .prepare(
        `INSERT INTO domains (user_id, host, active, server_synced, created_at) VALUES (1, 'app.example', 1, 1, 0)`,
      )
      .run();
    const id = main.prepare(`SELECT id FROM domains WHERE host = 'app.example'`).pluck().get();
    const apple = [{ id: 'ABCDE12345.com.example.app' }];
    const { status } = await fleet.server.request('PUT', `/api/domain/${id}/update`, {
      body: { apps: { apple } },
    });
    expect(status).toBe(200);
    const port = Number(new URL(fleet.edge.origin).port);
    const read = () =>
      visit({ port }, '/.well-known/apple-app-site-association', { headers: { Host: 'app.example' } });
    await expect.poll(async () => (await read()).body).toContain('"appIDs":["ABCDE12345.com.example.app"]');
  });

  it('counts query parameters on an edge as its account wants', async () => {
    const id = await addLink(fleet.server, 'counted-query');
    await fleet.server.request('PUT', '/api/parameters', { body: { parameters: ['ref'] } });
    const posters = async (): Promise<number> => {
      // The name is on its way to the edge, too.
      await fleet.edge.visit('/counted-query?ref=poster&utm_term=shoes');
      const { dimensions } = (await fleet.server.request('GET', `/api/url/${id}/stats`)).body.data;
      const clicksOf = (name: string, wanted: string) =>
        dimensions[name]?.find(({ value }: { value: string }) => value === wanted)?.clicks ?? 0;
      return Math.min(clicksOf('param1', 'poster'), clicksOf('utm_term', 'shoes'));
    };
    await expect.poll(posters, calmly).toBeGreaterThan(0);
  });

  it("asks for a link's password on an edge, and unlocks with the right one", async () => {
    await addLink(fleet.server, 'locked', { password: 'open sesame' });
    await expect.poll(async () => (await fleet.edge.visit('/locked')).text).toContain('type="password"');
    const send = (password: string) =>
      fetch(`${fleet.edge.origin}/locked`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ password }),
      });
    expect((await send('wrong')).headers.get('location')).toBeNull();
    expect((await send('open sesame')).headers.get('location')).toBe('https://example.org/locked');
  });

  it('counts visits of edges and origin together, and a visitor of both once', async () => {
    const id = await addLink(fleet.server, 'visited');
    await expect.poll(async () => (await fleet.edge.visit('/visited')).status).toBe(302);
    await fetch(`${fleet.server.origin}/visited`, { redirect: 'manual', headers: browser });
    await expect.poll(() => clicksOf(fleet.server, id), calmly).toBe(2);
    const { data } = (await fleet.server.request('GET', `/api/url/${id}/stats`)).body;
    expect(data.uniqueclicks).toBe(1);
  });

  it('shows which machine responded, in statistics, filters and exports, also for links requested together', async () => {
    const { server, edge } = fleet;
    const id = await addLink(server, 'answered');
    await expect.poll(async () => (await edge.visit('/answered?utm_term=near')).status).toBe(302);
    await edge.visit('/answered');
    await fetch(`${server.origin}/answered`, { redirect: 'manual', headers: browser });
    await expect.poll(() => clicksOf(server, id), calmly).toBe(3);
    const read = async (path: string) => (await server.request('GET', path)).body.data;
    const { dimensions } = await read(`/api/url/${id}/stats`);
    // Whose visit was the first of the visitor depends on which one the origin has first.
    const named = dimensions.edge.map(({ value, clicks }: { value: string; clicks: number }) => [
      value,
      clicks,
    ]);
    expect(named).toEqual([
      ['Oslo', 2],
      ['', 1],
    ]);
    expect(dimensions.utm_term).toContainEqual(expect.objectContaining({ value: 'near', clicks: 1 }));
    expect((await read('/api/stats')).dimensions.edge).toContainEqual(
      expect.objectContaining({ value: 'Oslo' }),
    );
    expect(await read(`/api/url/${id}/stats?edge=Oslo`)).toMatchObject({ clicks: 2 });
    expect(await read(`/api/url/${id}/stats?edge=`)).toMatchObject({ clicks: 1 });
    const exported = async (query: string) => {
      const { content } = await read(`/api/url/${id}/clicks/export?format=jsonl&inline=1${query}`);
      return content
        .trim()
        .split('\n')
        .map((line: string) => JSON.parse(line).edge);
    };
    expect((await exported('')).toSorted()).toEqual(['', 'Oslo', 'Oslo']);
    expect(await exported('&edge=')).toEqual(['']);
  });

  it('counts nothing that an edge answered after it was revoked, without having heard of it', async () => {
    // Before tests that set the clock: the engine, whose clock says when a click was shipped, has the real one.
    const other = await startEdge(fleet.server);
    const id = await addLink(fleet.server, 'unheard');
    await expect.poll(async () => (await other.visit('/unheard')).status).toBe(302);
    await expect.poll(() => clicksOf(fleet.server, id), calmly).toBe(1);
    await fleet.nats.kill();
    await stateIs(fleet.server, 'unreachable');
    await fleet.server.request('DELETE', `/api/fleet/edge/${other.id}/delete`);
    for (let visit = 0; visit < 3; visit += 1) expect((await other.visit('/unheard')).status).toBe(302);
    await fleet.nats.restart();
    await stateIs(fleet.server, 'connected');
    await expect.poll(async () => (await other.visit('/unheard')).status).toBe(503);
    const metrics = async () => (await other.visit('/metrics')).text;
    await expect.poll(metrics).toContain('waypost_edge_waiting_clicks 0\n');
    // What is shipped later than that by another edge has come by then.
    expect((await fleet.edge.visit('/unheard')).status).toBe(302);
    await expect.poll(() => clicksOf(fleet.server, id), calmly).toBe(2);
    await other.close();
    removeFolders(other);
  });

  it('keeps serving while the engine is away for an hour, and then counts each visit once', async () => {
    const id = await addLink(fleet.server, 'lasting');
    await expect.poll(async () => (await fleet.edge.visit('/lasting')).status).toBe(302);
    await fleet.nats.kill();
    await stateIs(fleet.server, 'unreachable');
    for (let minutes = 0; minutes < 60; minutes += 15) {
      for (let visit = 0; visit < 5; visit += 1)
        expect((await fleet.edge.visit('/lasting')).status).toBe(302);
      fleet.server.clock.advance(15 * 60_000);
      await addLink(fleet.server, `after-${minutes}`);
    }
    const late = await addLink(fleet.server, 'late');
    expect((await fleet.edge.visit('/late')).status).toBe(404);
    await fleet.nats.restart();
    await stateIs(fleet.server, 'connected');
    await expect.poll(async () => (await fleet.edge.visit('/late')).status, { timeout: 20_000 }).toBe(302);
    await expect.poll(() => clicksOf(fleet.server, id), calmly).toBe(21);
    await expect.poll(() => clicksOf(fleet.server, late), calmly).toBe(1);
    // What was shipped before that one had come by then, and a second time would have.
    expect(await clicksOf(fleet.server, id)).toBe(21);
    for (const minutes of [0, 15, 30, 45])
      expect((await fleet.edge.visit(`/after-${minutes}`)).status).toBe(302);
    const shown = async () => (await fleet.server.request('GET', '/api/fleet/edges')).body.data.edges[0];
    await expect.poll(shown, calmly).toMatchObject({ state: 'current', waiting: 0, lag: { messages: 0 } });
  });

  it('keeps no more changes for an absent engine than a snapshot is worth', {
    tags: 'long',
  }, async () => {
    const { main } = fleet.server.databases;
    const waiting = () => main.prepare('SELECT count(*) FROM fleet_changes').pluck().get();
    await fleet.nats.kill();
    await stateIs(fleet.server, 'unreachable');
    main.exec(`INSERT INTO fleet_changes (record, key)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100600)
      SELECT 'links', '[0]' FROM numbers`);
    await expect.poll(waiting, { timeout: 30_000 }).toBeLessThanOrEqual(100_000);
    await addLink(fleet.server, 'afterwards');
    await fleet.nats.restart();
    await expect
      .poll(async () => (await fleet.edge.visit('/afterwards')).status, { timeout: 30_000 })
      .toBe(302);
    await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
  });

  it('counts visits shipped a day late for the right day', { tags: 'long' }, async () => {
    const id = await addLink(fleet.server, 'yesterday');
    await expect.poll(async () => (await fleet.edge.visit('/yesterday')).status).toBe(302);
    await expect.poll(() => clicksOf(fleet.server, id), calmly).toBe(1);
    await fleet.nats.kill();
    await stateIs(fleet.server, 'unreachable');
    fleet.server.clock.jump(-dayMs);
    for (let visit = 0; visit < 3; visit += 1)
      expect((await fleet.edge.visit('/yesterday')).status).toBe(302);
    const yesterday = new Date(fleet.server.clock.now()).toISOString().slice(0, 10);
    fleet.server.clock.jump(dayMs);
    for (let visit = 0; visit < 2; visit += 1) {
      await fetch(`${fleet.server.origin}/yesterday`, { redirect: 'manual', headers: browser });
    }
    await fleet.nats.restart();
    await expect.poll(() => clicksOf(fleet.server, id), { ...calmly, timeout: 30_000 }).toBe(6);
    const path = '/api/clicks/export?format=jsonl&inline=1';
    const { body } = await fleet.server.request('GET', `${path}&from=${yesterday}&to=${yesterday}`);
    const dates = body.data.content
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line).date.slice(0, 10));
    expect(dates).toEqual([yesterday, yesterday, yesterday]);
    const { data } = (await fleet.server.request('GET', `/api/clicks?limit=5`)).body;
    expect(
      data.clicks.map((click: { date: string }) => click.date.startsWith(yesterday)).slice(0, 3),
    ).toEqual([...[true, true, true]]);
  });

  it('restarts an edge without its token, with what it has', async () => {
    await addLink(fleet.server, 'again');
    await expect.poll(async () => (await fleet.edge.visit('/again')).status).toBe(302);
    await fleet.edge.close();
    fleet.edge = await startEdge(fleet.server, { folder: fleet.edge.folder });
    expect((await fleet.edge.visit('/again')).status).toBe(302);
  });

  it('replaces a damaged replica by itself, and says so', async () => {
    await fleet.edge.close();
    const name = readdirSync(fleet.edge.folder).find((each) => each.startsWith('replica-')) ?? '';
    for (const file of readdirSync(join(fleet.edge.folder, name))) {
      if (file.startsWith('waypost.sqlite')) rmSync(join(fleet.edge.folder, name, file));
    }
    writeFileSync(join(fleet.edge.folder, name, 'waypost.sqlite'), 'x'.repeat(8192));
    fleet.edge = await startEdge(fleet.server, { folder: fleet.edge.folder });
    await expect.poll(async () => (await fleet.edge.visit('/again')).status).toBe(302);
    expect(fleet.edge.lines.join('')).toContain('is damaged and was set aside');
  });

  it('applies a change of many links at once, and keeps earlier visits', async () => {
    const id = await addLink(fleet.server, 'steady');
    await expect.poll(async () => (await fleet.edge.visit('/steady')).status).toBe(302);
    const rows = Array.from({ length: 400 }, (_, index) => ({
      url: `https://example.org/${index}`,
      custom: `many${index}`,
    }));
    fleet.server.databases.main.transaction(() => {
      const insert = fleet.server.databases.main.prepare(
        `INSERT INTO links (user_id, alias, url, created_at, updated_at, search) VALUES (1, ?, ?, 0, 0, '')`,
      );
      const name = fleet.server.databases.main.prepare(
        "INSERT INTO aliases (domain_id, alias, kind, target_id) VALUES (0, ?, 'link', ?)",
      );
      for (const { url, custom } of rows) name.run(custom, insert.run(custom, url).lastInsertRowid);
    })();
    await addLink(fleet.server, 'after');
    await expect.poll(async () => (await fleet.edge.visit('/after')).status, { timeout: 20_000 }).toBe(302);
    expect((await fleet.edge.visit('/many399')).location).toBe('https://example.org/399');
    expect((await fleet.edge.visit('/steady')).status).toBe(302);
    await expect.poll(() => clicksOf(fleet.server, id), calmly).toBe(2);
  });

  it('repairs a replica that differs from the origin', async () => {
    await addLink(fleet.server, 'true');
    await expect.poll(async () => (await fleet.edge.visit('/true')).status).toBe(302);
    const before = fleet.edge.lines.length;
    // Written past the triggers, as a fault would.
    const { clicks } = fleet.server.databases;
    clicks.prepare("UPDATE links SET url = 'https://example.org/mended' WHERE alias = 'true'").run();
    fleet.server.clock.advance(61_000);
    await expect
      .poll(async () => (await fleet.edge.visit('/true')).location, { timeout: 30_000 })
      .toBe('https://example.org/mended');
    expect(fleet.edge.lines.slice(before).join('')).toContain('differs from the origin');
  });

  it('shows its edges and its engine to administrators', async () => {
    const shown = async () => (await fleet.server.request('GET', '/api/fleet/edges')).body.data.edges[0];
    await expect
      .poll(shown, calmly)
      .toMatchObject({ id: fleet.edge.id, name: 'Oslo', state: 'current', waiting: 0 });
    const { data } = (await fleet.server.request('GET', '/api/fleet')).body;
    expect(data).toMatchObject({
      enabled: true,
      state: 'connected',
      url: fleet.nats.url,
      engine: { servers: 1, streams: 6, oldest: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) },
    });
    // The engine has a clock of its own: this one.
    expect(Math.abs(Date.parse(`${data.engine.oldest.replace(' ', 'T')}Z`) - Date.now())).toBeLessThan(
      3_600_000,
    );
    expect(JSON.stringify(data)).not.toContain(natsUsers.password);
  });

  it('accepts a token once, for an hour, and for an empty folder', async () => {
    const { token } = await newToken(fleet.server, 'Rome');
    const join = (folder: string, text: string, now = fleet.server.clock.now()) =>
      joinFleet({ folder: `${fleet.edge.folder}-${folder}`, token: text, version: '1', now });
    await expect(join('a', token.slice(0, -3))).rejects.toThrow('cut or changed');
    const made = Buffer.from('made by hand, with a checksum').toString('base64url');
    const checksum = createHash('sha256').update(made).digest('base64url').slice(0, 8);
    await expect(join('a', `wayedge_${checksum}${made}`)).rejects.toThrow('cut or changed');
    await expect(join('a', token, fleet.server.clock.now() + 3_600_001)).rejects.toThrow(
      "has expired, or this machine's clock is ahead",
    );
    await expect(joinFleet({ folder: fleet.edge.folder, token, version: '1', now: 0 })).rejects.toThrow(
      'another edge already',
    );
    await join('a', token);
    await expect(join('b', token)).rejects.toThrow('was used already');
    await expect(
      joinFleet({ folder: `${fleet.edge.folder}-b`, token: undefined, version: '1', now: 0 }),
    ).rejects.toThrow(JoinRefused);
    rmSync(`${fleet.edge.folder}-a`, { recursive: true });
  });

  it('stops a revoked edge, and ignores what it answers later', async () => {
    const other = await startEdge(fleet.server);
    const id = await addLink(fleet.server, 'gone');
    await expect.poll(async () => (await other.visit('/gone')).status).toBe(302);
    await expect.poll(() => clicksOf(fleet.server, id), calmly).toBe(1);
    await fleet.server.request('DELETE', `/api/fleet/edge/${other.id}/delete`);
    await expect.poll(async () => (await other.visit('/gone')).status).toBe(503);
    expect((await other.visit('/api/health')).text).toContain('revoked');
    await addLink(fleet.server, 'gone-later');
    await expect.poll(async () => (await fleet.edge.visit('/gone-later')).status).toBe(302);
    const { edges } = (await fleet.server.request('GET', '/api/fleet/edges')).body.data;
    expect(edges.find(({ id }: { id: number }) => id === other.id)).toMatchObject({
      state: 'revoked',
      lag: { messages: 0, ms: 0 },
    });
    const { token } = await newToken(fleet.server);
    await expect(
      joinFleet({ folder: other.folder, token, version: '1', now: fleet.server.clock.now() }),
    ).rejects.toThrow('was revoked');
    await other.close();
    removeFolders(other);
  });

  it('starts a new epoch after a restore, without counting anything twice', async () => {
    const id = await addLink(fleet.server, 'restored');
    await expect.poll(async () => (await fleet.edge.visit('/restored')).status).toBe(302);
    await expect.poll(() => clicksOf(fleet.server, id), calmly).toBe(1);
    const { folder, clock } = fleet.server;
    await fleet.server.close();
    const backup = `${folder}-backup`;
    cpSync(join(folder, 'waypost.sqlite'), backup);
    fleet.server = await startOrigin(fleet.nats, { folder, clock });
    await addLink(fleet.server, 'forgotten');
    await expect.poll(async () => (await fleet.edge.visit('/forgotten')).status).toBe(302);
    expect((await fleet.edge.visit('/restored')).status).toBe(302);
    await expect.poll(() => clicksOf(fleet.server, id), calmly).toBe(2);
    await fleet.server.close();
    cpSync(backup, join(folder, 'waypost.sqlite'));
    fleet.server = await startOrigin(fleet.nats, { folder, clock });
    // Asked for earlier, the edge would still answer, and the click would be that of whatever has the id by now.
    const stateOfEdge = async () =>
      (await fleet.server.request('GET', '/api/fleet/edges')).body.data.edges.find(
        (each: { id: number }) => each.id === fleet.edge.id,
      ).state;
    await expect.poll(stateOfEdge, { ...calmly, timeout: 30_000 }).toBe('current');
    expect((await fleet.edge.visit('/forgotten')).status).toBe(404);
    const after = await addLink(fleet.server, 'afterwards-too');
    await expect
      .poll(async () => (await fleet.edge.visit('/afterwards-too')).status, { timeout: 20_000 })
      .toBe(302);
    await expect.poll(() => clicksOf(fleet.server, after), calmly).toBe(1);
    expect(await clicksOf(fleet.server, id)).toBe(2);
    rmSync(backup);
  });

  it('gives a new link no visits of one that a restore forgot, although it has its id', {
    tags: 'long',
  }, async () => {
    const { folder, clock } = fleet.server;
    await fleet.server.close();
    const backup = `${folder}-backup`;
    cpSync(join(folder, 'waypost.sqlite'), backup);
    fleet.server = await startOrigin(fleet.nats, { folder, clock });
    const lost = await addLink(fleet.server, 'lost');
    await expect.poll(async () => (await fleet.edge.visit('/lost')).status).toBe(302);
    await fleet.nats.kill();
    for (let visit = 0; visit < 3; visit += 1) expect((await fleet.edge.visit('/lost')).status).toBe(302);
    await fleet.server.close();
    cpSync(backup, join(folder, 'waypost.sqlite'));
    fleet.server = await startApp({ folder, clock, baseUrl: fleetUrl });
    fleet.server.app.startJobs();
    const id = await addLink(fleet.server, 'in-its-place');
    expect(id).toBe(lost);
    await fleet.nats.restart();
    await expect
      .poll(async () => (await fleet.edge.visit('/in-its-place')).status, { timeout: 40_000, interval: 250 })
      .toBe(302);
    await expect.poll(() => clicksOf(fleet.server, id), calmly).toBe(1);
    rmSync(backup);
  });

  it('goes on with its origin where a copy of the data folder is made and started meanwhile', {
    tags: 'long',
  }, async () => {
    const { folder, clock } = fleet.server;
    const copy = `${folder}-live`;
    cpSync(folder, copy, { recursive: true });
    const other = await startApp({ folder: copy, clock, baseUrl: fleetUrl });
    other.app.startJobs();
    await stateIs(other, 'refused');
    expect((await other.request('GET', '/api/fleet')).body.data).toMatchObject({ code: 'fleet_taken' });
    await addLink(fleet.server, 'of-the-first');
    await expect.poll(async () => (await fleet.edge.visit('/of-the-first')).status, calmly).toBe(302);
    await stateIs(fleet.server, 'connected');

    // Without the first, it is one that moved to another machine.
    await fleet.server.close();
    await stateIs(other, 'connected');
    await other.close();
    rmSync(copy, { recursive: true, force: true });
    const back = await startApp({ folder, clock, baseUrl: fleetUrl });
    back.app.startJobs();
    await stateIs(back, 'refused');
    const taken = await back.request('PUT', '/api/fleet/update', { body: { takeover: true } });
    expect(taken.body).toMatchObject({ error: 0 });
    await stateIs(back, 'connected');
    fleet.server = back;
  });

  it('lets one data folder write, not its copy', async () => {
    const copy = `${fleet.server.folder}-copy`;
    const { folder, clock } = fleet.server;
    await fleet.server.close();
    cpSync(folder, copy, { recursive: true });
    fleet.server = await startOrigin(fleet.nats, { folder, clock });
    const other = await startApp({ folder: copy, clock, baseUrl: fleetUrl });
    other.app.startJobs();
    await stateIs(other, 'refused');
    expect((await other.request('GET', '/api/fleet')).body.data.problem).toContain(
      'Another server writes this fleet',
    );
    await other.close();
    rmSync(copy, { recursive: true, force: true });
    await stateIs(fleet.server, 'connected');
  });
});

describe.skipIf(!hasNats)('the settings of a fleet', () => {
  it('report what is missing', async () => {
    const nats = await startNats(engineUsers(natsUsers));
    const server = await startApp();
    const put = async (body: object) => (await server.request('PUT', '/api/fleet/update', { body })).body;
    const on = { enabled: true, url: nats.url, ...natsUsers };
    expect(await put(on)).toMatchObject({ code: 'baseurl_needed' });
    await server.request('PUT', '/api/settings', { body: { baseUrl: fleetUrl } });
    expect(
      (await server.request('POST', '/api/fleet/edge/add', { body: { name: 'Oslo' } })).body,
    ).toMatchObject({ code: 'fleet_off' });
    expect(await put({ enabled: true, url: 'nats://127.0.0.1:9' })).toMatchObject({
      code: 'fleet_unreachable',
      message: 'The engine does not answer at nats://127.0.0.1:9. Check the address, and that it is running.',
    });
    expect(await put({ ...on, password: 'wrong' })).toMatchObject({
      code: 'fleet_unreachable',
      message: 'The engine does not accept these credentials. Check them.',
      data: { reason: 'credentials' },
    });
    for (const url of ['http://engine', 'nats://engine:99999']) {
      expect(await put({ ...on, url })).toMatchObject({
        ...{ code: 'fleet_unreachable', field: 'url', data: { reason: 'address' } },
      });
    }
    expect(await put({ ...on, url: nats.url.replace('nats:', 'tls:') })).toMatchObject({
      message: expect.stringContaining('does not use TLS'),
      data: { reason: 'no_tls' },
    });
    const other = createServer((socket) => socket.on('error', () => {}).write('SSH-2.0-OpenSSH_9.2\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect(await put({ ...on, url: `nats://127.0.0.1:${port}` })).toMatchObject({
      message: `The server at nats://127.0.0.1:${port} is not a NATS server. Check the address and the port.`,
      data: { reason: 'no_engine' },
    });
    other.close();
    expect((await server.request('GET', '/api/fleet')).body.data).toMatchObject({
      enabled: false,
      state: 'off',
      url: null,
    });
    expect(await put(on)).toMatchObject({ error: 0 });
    expect((await server.request('POST', '/api/fleet/test')).body).toMatchObject({ error: 0 });
    expect(await put({ enabled: false })).toMatchObject({ error: 0, data: { state: 'off' } });
    await server.close();
    await nats.close();
  });

  it('stay off if another change was tried while the fleet was turned off', async () => {
    const nats = await startNats(engineUsers(natsUsers));
    const server = await startOrigin(nats);
    const put = (body: object) => server.request('PUT', '/api/fleet/update', { body });
    const { edgeuser, edgepassword } = natsUsers;
    const [other, off] = await Promise.all([put({ edgeuser, edgepassword }), put({ enabled: false })]);
    expect([other.status, off.status]).toEqual([200, 200]);
    expect((await server.request('GET', '/api/fleet')).body.data).toMatchObject({
      enabled: false,
      state: 'off',
      edgeuser,
    });
    await server.close();
    await nats.close();
  });

  it('can be a token instead of a user', async () => {
    const nats = await startNats('authorization { token: "open-sesame" }');
    const server = await startApp({ baseUrl: fleetUrl });
    server.app.startJobs();
    const put = async (token: string) =>
      (await server.request('PUT', '/api/fleet/update', { body: { enabled: true, url: nats.url, token } }))
        .body;
    expect(await put('wrong')).toMatchObject({ code: 'fleet_unreachable', data: { reason: 'credentials' } });
    expect(await put('open-sesame')).toMatchObject({ error: 0 });
    await stateIs(server, 'connected');
    const shown = (await server.request('GET', '/api/fleet')).body;
    expect(shown.data).toMatchObject({ signin: 'token', user: null });
    expect(JSON.stringify(shown)).not.toContain('open-sesame');
    await server.close();
    await nats.close();
  });

  it('show how long the engine keeps changes, also while it is connected', async () => {
    const nats = await startNats(engineUsers(natsUsers));
    const server = await startOrigin(nats);
    const engine = await connectEngine({ url: nats.url, ...natsUsers }, 'waypost-origin');
    const { changes, clicks } = fleetSubjects;
    const kept = async () => {
      const { max_age, max_bytes } = (await engine.manager.streams.info(changes.stream)).config;
      const ofClicks = (await engine.manager.streams.info(clicks.stream)).config;
      return [max_age / 3_600e9, max_bytes / 2 ** 20, ofClicks.max_bytes / 2 ** 20];
    };
    expect(await kept()).toEqual([72, 1024, 1024]);
    const put = (fleet: object) => server.request('PUT', '/api/settings', { body: { fleet } });
    expect((await put({ keepBytes: 1 })).status).toBe(400);
    expect((await put({ keepHours: 5, keepBytes: 128 * 2 ** 20 })).status).toBe(200);
    await expect.poll(kept).toEqual([5, 128, 128]);
    await stateIs(server, 'connected');
    // The disk of no engine in tests has room for that: the fleet goes on with what there was.
    expect((await put({ keepHours: 6, keepBytes: 2 ** 40 })).status).toBe(200);
    await expect.poll(kept).toEqual([6, 128, 128]);
    const shown = async () => (await server.request('GET', '/api/fleet')).body.data;
    await expect.poll(shown).toMatchObject({ state: 'connected', code: null, reason: 'no_room' });
    expect((await put({ keepHours: 5, keepBytes: 128 * 2 ** 20 })).status).toBe(200);
    await expect.poll(kept).toEqual([5, 128, 128]);
    await expect.poll(shown).toMatchObject({ state: 'connected', problem: null, reason: null });
    await engine.close();
    await server.close();
    await nats.close();
  });

  it('come from the start options if given there, and persist', async () => {
    const nats = await startNats(engineUsers(natsUsers));
    const folder = mkdtempSync(join(tmpdir(), 'waypost-origin-'));
    const options = { folder, baseUrl: fleetUrl, clock: runningClock() };
    for (const fleet of [{ url: nats.url, ...natsUsers }, undefined]) {
      const server = await startApp({ ...options, ...(fleet && { fleet }) });
      server.app.startJobs();
      await stateIs(server, 'connected');
      const shown = (await server.request('GET', '/api/fleet')).body.data;
      expect(shown).toMatchObject({ enabled: true, url: nats.url, signin: 'user', edgeuser: 'edge' });
      expect((await newToken(server)).token).toContain('wayedge_');
      await server.close();
    }
    await nats.close();
    rmSync(folder, { recursive: true });
  });

  it('are kept when a version that stored them under another name is upgraded', async () => {
    const nats = await startNats(engineUsers(natsUsers));
    const folder = mkdtempSync(join(tmpdir(), 'waypost-origin-'));
    await (await startOrigin(nats, { folder })).close();
    const database = connect(join(folder, 'waypost.sqlite'), 'FULL');
    database.exec("UPDATE settings SET name = 'fleet' WHERE name = 'fleetEngine'");
    // That update alone: the folder has had all others.
    database.exec(migrations.find(({ version }) => version === 65)?.sql ?? '');
    database.close();
    const server = await startApp({ folder, baseUrl: fleetUrl, clock: runningClock() });
    server.app.startJobs();
    await stateIs(server, 'connected');
    expect((await server.request('GET', '/api/settings')).body.data.fleet).toEqual({
      keepBytes: 2 ** 30,
      keepHours: 72,
    });
    await server.close();
    await nats.close();
    rmSync(folder, { recursive: true });
  });

  it('are not removed by a server that cannot decrypt them, until somebody takes over the fleet', async () => {
    const engine = await startNats(engineUsers(natsUsers));
    const folder = mkdtempSync(join(tmpdir(), 'waypost-origin-'));
    const first = await startOrigin(engine, { folder });
    await first.close();
    const key = join(folder, 'vault.key');
    const kept = readFileSync(key);
    writeFileSync(key, randomBytes(32).toString('base64'));
    const server = await startApp({ folder, baseUrl: fleetUrl, clock: runningClock() });
    server.app.startJobs();
    const shown = async () => (await server.request('GET', '/api/fleet')).body.data;
    expect(await shown()).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('Put that key'),
    });
    const body = { enabled: true, url: engine.url, ...natsUsers };
    const refused = await server.request('PUT', '/api/fleet/update', { body });
    expect([refused.status, refused.body.code]).toEqual([400, 'fleet_taken']);
    await server.close();

    const other = readFileSync(key);
    writeFileSync(key, kept);
    const back = await startOrigin(engine, { folder });
    await stateIs(back, 'connected');
    await back.close();

    writeFileSync(key, other);
    const later = await startApp({ folder, baseUrl: fleetUrl, clock: runningClock() });
    later.app.startJobs();
    const taken = await later.request('PUT', '/api/fleet/update', { body: { ...body, takeover: true } });
    expect(taken.body).toMatchObject({ error: 0 });
    await stateIs(later, 'connected');
    await later.close();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are read from the command line, their secrets from the environment', () => {
    const given = { WAYPOST_FLEET_USER: 'origin', WAYPOST_FLEET_PASSWORD: 'x' };
    expect(readConfig(['--fleet', 'nats://one:4222'], given).fleet).toMatchObject({
      ...{ url: 'nats://one:4222', user: 'origin', password: 'x' },
    });
    expect(() => readConfig([], given)).toThrow('needs --fleet');
    const kept = { WAYPOST_FLEET_KEEP_HOURS: '5', WAYPOST_FLEET_KEEP_BYTES: '2147483648' };
    expect(readConfig([], kept).settings.fleet).toEqual({ keepHours: 5, keepBytes: 2 ** 31 });
    const file = { WAYPOST_FLEET_CREDENTIALS: '/nowhere/fleet.creds' };
    expect(() => readConfig(['--fleet', 'nats://one:4222'], file)).toThrow('WAYPOST_FLEET_CREDENTIALS');
  });
});
