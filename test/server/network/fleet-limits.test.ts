import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';
import type { TestApp } from '../../support/app.ts';
import {
  browser,
  removeFolders,
  startEdge,
  startOrigin,
  stateIs,
  type TestEdge,
} from '../../support/fleet.ts';
import { anotherName } from '../../support/names.ts';
import { hasNats, type NatsServer, natsMissing, natsUsers, startNats } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

/** A pause between two questions to the interface, which counts them. */
const calmly = { timeout: 20_000, interval: 250 };

describe.skipIf(!hasNats)('a link with a click limit, in a fleet', () => {
  let nats: NatsServer;
  let server: TestApp;
  let edges: TestEdge[];

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    server = await startOrigin(nats, { folder: mkdtempSync(join(tmpdir(), 'waypost-origin-')) });
    edges = await Promise.all([startEdge(server), startEdge(server)]);
  });

  beforeEach(async () => {
    // A test that failed may have left it off.
    if ((await server.request('GET', '/api/fleet')).body.data.state === 'off') await turn(true);
  });

  afterAll(async () => {
    await Promise.all(edges.map((edge) => edge.close()));
    await server.close();
    await nats.close();
    removeFolders(...edges, server);
  });

  async function addLink(alias: string, limit: number): Promise<number> {
    const { body } = await server.request('POST', '/api/url/add', {
      body: { url: `https://example.org/${alias}`, custom: alias, clicklimit: limit },
    });
    expect(body).toMatchObject({ error: 0 });
    return body.id;
  }

  const machines = (): string[] => [server.origin, ...edges.map(({ origin }) => origin)];

  async function statusAt(origin: string, path: string): Promise<number> {
    const reply = await fetch(origin + path, { redirect: 'manual', headers: browser });
    await reply.arrayBuffer();
    return reply.status;
  }

  /** Waits until every edge knows a link, without using it up. */
  async function isEverywhere(alias: string): Promise<void> {
    for (const edge of edges) {
      const isKnown = async () => (await edge.visit(`/${alias}+`)).status;
      await expect.poll(isKnown, calmly).toBe(200);
    }
  }

  /** Turns the fleet on or off; on again, the origin connects anew. */
  async function turn(enabled: boolean): Promise<void> {
    const body = { enabled, url: nats.url, ...natsUsers };
    const reply = await server.request('PUT', '/api/fleet/update', { body });
    expect(reply.body).toMatchObject({ error: 0 });
    await stateIs(server, enabled ? 'connected' : 'off');
    // Edges wait until they are told what was used up meanwhile.
    if (enabled) await expect.poll(() => sequenceOf('waypost.limits.ready'), calmly).toBeGreaterThan(0);
  }

  async function clicksOf(id: number): Promise<number> {
    return (await server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;
  }

  it('is answered exactly that often by all machines together, however many ask at once', async () => {
    const alias = anotherName('ten');
    const id = await addLink(alias, 10);
    await isEverywhere(alias);
    const asked = Array.from({ length: 60 }, (_, visit) =>
      statusAt(machines()[visit % 3] as string, `/${alias}`),
    );
    const statuses = await Promise.all(asked);
    expect(statuses.filter((status) => status === 302)).toHaveLength(10);
    expect(statuses.filter((status) => status === 410)).toHaveLength(50);
    await expect.poll(() => clicksOf(id), calmly).toBe(10);
    for (const machine of machines()) expect(await statusAt(machine, `/${alias}`)).toBe(410);
  });

  it('is used up at the origin if edges answered all of it, and continues when the limit is raised', async () => {
    const alias = anotherName('two');
    const id = await addLink(alias, 2);
    await isEverywhere(alias);
    for (const { origin } of edges) expect(await statusAt(origin, `/${alias}`)).toBe(302);
    const list = async () => (await server.request('GET', '/api/urls?limit=50')).body.data.urls;
    await expect
      .poll(async () => JSON.stringify((await list()).find((each: { id: number }) => each.id === id)), calmly)
      .toContain('exhausted');
    expect(await statusAt(server.origin, `/${alias}`)).toBe(410);
    await server.request('PUT', `/api/url/${id}/update`, { body: { clicklimit: 3 } });
    const first = (edges[0] as TestEdge).origin;
    await expect.poll(() => statusAt(first, `/${alias}`), calmly).toBe(302);
    for (const machine of machines()) expect(await statusAt(machine, `/${alias}`)).toBe(410);
  });

  it('waits for the engine: 503 while it is away, on every machine, and the rest when it is back', async () => {
    const alias = anotherName('patient');
    await addLink(alias, 3);
    await isEverywhere(alias);
    const [first = '', second = ''] = edges.map(({ origin }) => origin);
    expect(await statusAt(first, `/${alias}`)).toBe(302);
    await nats.kill();
    await stateIs(server, 'unreachable');
    for (const machine of machines()) {
      await expect.poll(() => statusAt(machine, `/${alias}`), calmly).toBe(503);
    }
    await nats.restart();
    await stateIs(server, 'connected');
    await expect.poll(() => statusAt(second, `/${alias}`), calmly).toBe(302);
    await expect.poll(() => statusAt(server.origin, `/${alias}`), calmly).toBe(302);
    for (const machine of machines()) expect(await statusAt(machine, `/${alias}`)).toBe(410);
  });

  it('counts what was used while the fleet was off', async () => {
    const alias = anotherName('before');
    const id = await addLink(alias, 4);
    await isEverywhere(alias);
    expect(await statusAt(server.origin, `/${alias}`)).toBe(302);
    await turn(false);
    expect(await statusAt(server.origin, `/${alias}`)).toBe(302);
    await turn(true);
    const [first = ''] = edges.map(({ origin }) => origin);
    await expect.poll(() => clicksOf(id), calmly).toBe(2);
    await expect.poll(() => used(id)).toBe(2);
    await expect.poll(() => statusAt(first, `/${alias}`), calmly).toBe(302);
    expect(await statusAt(first, `/${alias}`)).toBe(302);
    for (const machine of machines()) expect(await statusAt(machine, `/${alias}`)).toBe(410);
  });

  it('is counted by the origin alone while the fleet is off, including earlier clicks, and by edges afterwards', async () => {
    const [alone, untouched] = [anotherName('alone'), anotherName('untouched')];
    const id = await addLink(alone, 5);
    await addLink(untouched, 2);
    await isEverywhere(alone);
    await isEverywhere(untouched);
    const [first = '', second = ''] = edges.map(({ origin }) => origin);
    expect(await statusAt(first, `/${alone}`)).toBe(302);
    expect(await statusAt(second, `/${alone}`)).toBe(302);
    await turn(false);
    // What edges took just before is known to the origin.
    expect(used(id)).toBe(2);
    for (const edge of [first, second]) {
      expect(await statusAt(edge, `/${alone}`)).toBe(503);
      expect(await statusAt(edge, `/${untouched}`)).toBe(503);
    }
    expect(await statusAt(server.origin, `/${alone}`)).toBe(302);
    expect(await statusAt(server.origin, `/${untouched}`)).toBe(302);
    await turn(true);
    await expect.poll(() => statusAt(first, `/${untouched}`), calmly).toBe(302);
    await expect.poll(() => statusAt(second, `/${alone}`), calmly).toBe(302);
    await expect.poll(() => statusAt(server.origin, `/${alone}`), calmly).toBe(302);
    for (const machine of machines()) {
      expect(await statusAt(machine, `/${alone}`)).toBe(410);
      expect(await statusAt(machine, `/${untouched}`)).toBe(410);
    }
  });

  it('is closed immediately if the last count is for a link that is gone', async () => {
    const alias = anotherName('gone');
    const id = await addLink(alias, 2);
    await isEverywhere(alias);
    const [first = ''] = edges.map(({ origin }) => origin);
    await expect.poll(() => statusAt(first, `/${alias}`), calmly).toBe(302);
    await expect.poll(() => used(id)).toBe(1);
    const subject = await subjectOf(id);
    expect((await server.request('DELETE', `/api/url/${id}/delete?force=1`)).body).toMatchObject({
      error: 0,
    });
    await turn(true);
    await expect.poll(() => sequenceOf(subject), calmly).toBe(0);
    // By now its number is higher than that of any count.
    await turn(true);
    const before = server.logLines().length;
    await turn(false);
    const said = server.logLines().slice(before).join('');
    expect(said).not.toContain('limited links are not counted there any more');
    expect(await sequenceOf('waypost.limits.ready')).toBe(0);
    await turn(true);
  });

  it('is updated with what was used while the fleet was turned off without the engine', {
    tags: 'long',
  }, async () => {
    const alias = anotherName('unheard');
    const id = await addLink(alias, 3);
    await isEverywhere(alias);
    const [first = ''] = edges.map(({ origin }) => origin);
    await expect.poll(() => statusAt(first, `/${alias}`), calmly).toBe(302);
    await expect.poll(() => used(id)).toBe(1);
    const told = await sequenceOf('waypost.limits.ready');
    expect(told).toBeGreaterThan(0);
    await nats.kill();
    try {
      await stateIs(server, 'unreachable');
      await turn(false);
      expect(await statusAt(server.origin, `/${alias}`)).toBe(302);
    } finally {
      await nats.restart();
    }
    await turn(true);
    await expect.poll(() => sequenceOf('waypost.limits.ready'), calmly).toBeGreaterThan(told);
    await expect.poll(() => statusAt(first, `/${alias}`), calmly).toBe(302);
    for (const machine of machines()) expect(await statusAt(machine, `/${alias}`)).toBe(410);
  });

  it('keeps its count without a limit, even if the fleet is turned off and on meanwhile', {
    tags: 'long',
  }, async () => {
    const alias = anotherName('freed');
    const id = await addLink(alias, 3);
    await isEverywhere(alias);
    const visitOrigin = () => statusAt(server.origin, `/${alias}`);
    await expect.poll(visitOrigin, calmly).toBe(302);
    expect(await visitOrigin()).toBe(302);
    const limit = async (clicklimit: number | null) =>
      expect(
        (await server.request('PUT', `/api/url/${id}/update`, { body: { clicklimit } })).body,
      ).toMatchObject({ error: 0 });
    await limit(null);
    await turn(false);
    await turn(true);
    await limit(3);
    await expect.poll(visitOrigin, calmly).toBe(302);
    expect(await visitOrigin()).toBe(410);
  });

  it('is continued by the origin if somebody overwrote its count with garbage', {
    tags: 'long',
  }, async () => {
    const alias = anotherName('spoilt');
    const id = await addLink(alias, 5);
    await isEverywhere(alias);
    const [first = ''] = edges.map(({ origin }) => origin);
    for (let visit = 0; visit < 3; visit += 1) expect(await statusAt(first, `/${alias}`)).toBe(302);
    await expect.poll(() => used(id)).toBe(3);
    const attacker = await connect({
      servers: nats.url,
      user: natsUsers.edgeuser,
      pass: natsUsers.edgepassword,
    });
    const subject = await subjectOf(id);
    attacker.publish(subject, '{"used":0}');
    attacker.publish(subject.replace(/link-.*/, 'link-99999-1'), '{"used":0}');
    await attacker.flush();
    await attacker.close();
    await expect.poll(() => statusAt(first, `/${alias}`), calmly).toBe(302);
    await expect.poll(() => statusAt(server.origin, `/${alias}`), calmly).toBe(302);
    for (const machine of machines()) expect(await statusAt(machine, `/${alias}`)).toBe(410);
  });

  it('keeps its count over a restart of the origin', async () => {
    const alias = anotherName('lasting');
    const id = await addLink(alias, 4);
    await isEverywhere(alias);
    const [first = '', second = ''] = edges.map(({ origin }) => origin);
    expect(await statusAt(first, `/${alias}`)).toBe(302);
    expect(await statusAt(server.origin, `/${alias}`)).toBe(302);
    const { folder } = server;
    await server.close();
    // The engine counts on while the origin is away.
    expect(await statusAt(second, `/${alias}`)).toBe(302);
    server = await startOrigin(nats, { folder });
    await expect.poll(() => used(id), calmly).toBe(3);
    await expect.poll(() => statusAt(server.origin, `/${alias}`), calmly).toBe(302);
    for (const machine of machines()) expect(await statusAt(machine, `/${alias}`)).toBe(410);
  });

  it('divides the attempts for its password among the edges', async () => {
    const alias = anotherName('guarded');
    const body = { url: 'https://example.org/', custom: alias, password: 'open sesame' };
    expect((await server.request('POST', '/api/url/add', { body })).body).toMatchObject({ error: 0 });
    const [{ origin = '', visit: ask }] = edges as [TestEdge];
    await expect.poll(async () => (await ask(`/${alias}`)).text, calmly).toContain('type="password"');
    const send = async (password: string) => {
      const form = new URLSearchParams({ password });
      return (await fetch(`${origin}/${alias}`, { method: 'POST', redirect: 'manual', body: form })).status;
    };
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push(await send('wrong'));
    expect(statuses).toEqual([...Array(5).fill(403), 429]);
    expect(await send('open sesame')).toBe(429);
  });

  async function askEngine<Answer>(ask: (manager: JetStreamManager) => Promise<Answer>): Promise<Answer> {
    const connection = await connect({ servers: nats.url, user: natsUsers.user, pass: natsUsers.password });
    try {
      return await ask(await jetstreamManager(connection));
    } finally {
      await connection.close();
    }
  }

  /** Where the engine counts a link now. */
  async function subjectOf(id: number): Promise<string> {
    const { config } = await askEngine((manager) => manager.streams.info('waypost_limits'));
    const counting = fleetSubjects.limits.countingOf(config.subjects) ?? '';
    const createdAt = server.databases.main.prepare('SELECT created_at FROM links WHERE id = ?').pluck();
    return fleetSubjects.limits.of(counting, { kind: 'link', id, createdAt: Number(createdAt.get(id)) });
  }

  /** The number of the newest message of a subject that has to do with limits; 0 where there is none. */
  async function sequenceOf(subject: string): Promise<number> {
    const asked = { last_by_subj: subject };
    const found = await askEngine((manager) => manager.streams.getMessage('waypost_limits', asked));
    return found?.seq ?? 0;
  }

  function used(id: number): unknown {
    return server.databases.main.prepare('SELECT limited_clicks FROM links WHERE id = ?').pluck().get(id);
  }
});
