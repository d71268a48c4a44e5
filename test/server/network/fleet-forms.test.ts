import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { connect as connectTo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { entryLog } from '../../../server/network/fleet/entry-log.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { openDatabases } from '../../../server/platform/database/open.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  browser,
  fleetUrl,
  removeFolders,
  startEdge,
  startOrigin,
  stateIs,
  type TestEdge,
} from '../../support/fleet.ts';
import { hasNats, type NatsServer, natsMissing, natsUsers, startNats } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

/** A pause between two questions to the interface, which counts them. */
const calmly = { timeout: 20_000, interval: 250 };

describe.skipIf(!hasNats)('form entries on an edge', () => {
  let nats: NatsServer;
  let server: TestApp;
  let edge: TestEdge;
  let bio: number;
  let news: number;
  let poll: number;

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    server = await startOrigin(nats, { folder: mkdtempSync(join(tmpdir(), 'waypost-origin-')) });
    const contact = { type: 'contact', title: 'Write' };
    bio = await make('/api/bio/add', { name: 'Me', alias: 'me', blocks: [contact] });
    const content = { title: 'News', button: 'Go' };
    news = await make('/api/overlay/add', { name: 'News', type: 'newsletter', content });
    poll = await addPoll();
    edge = await startEdge(server);
    await catchUp();
  });

  afterAll(async () => {
    await edge.close();
    await server.close();
    await nats.close();
    removeFolders(edge, server);
  });

  async function make(path: string, body: object): Promise<number> {
    const reply = await server.request('POST', path, { body });
    expect(reply.body).toMatchObject({ error: 0 });
    return reply.body.id;
  }

  const addPoll = () =>
    make('/api/overlay/add', {
      name: 'Poll',
      type: 'poll',
      content: { question: 'Which?', answers: ['one', 'two'] },
    });

  async function send(path: string, fields: Record<string, string>, at = edge.origin): Promise<number> {
    const body = new URLSearchParams(fields);
    const reply = await fetch(at + path, { method: 'POST', redirect: 'manual', headers: browser, body });
    await reply.text();
    return reply.status;
  }

  /** Waits until the edge has what was made before. */
  async function catchUp(): Promise<void> {
    const custom = `mark-${randomUUID().slice(0, 8)}`;
    await make('/api/url/add', { url: 'https://example.org/', custom });
    await vi.waitFor(async () => expect((await edge.visit(`/${custom}`)).status).toBe(302), calmly);
  }

  const write = (message: string) =>
    send(`/bio/${bio}/1`, { name: 'Dana', email: 'dana@example.com', message });

  async function answersOf(id: number): Promise<{ value: string; count: number }[]> {
    const { data } = (await server.request('GET', `/api/overlay/${id}/answers`)).body;
    return data.answers.map(({ value, count }: { value: string; count: number }) => ({ value, count }));
  }

  async function messages(): Promise<string[]> {
    const { data } = (await server.request('GET', `/api/bio/${bio}/messages`)).body;
    return data.messages.map(({ message }: { message: string }) => message);
  }

  it('are kept while the engine is away and the edge restarts, and arrive at the origin once', async () => {
    await make('/api/webhook/add', { url: 'https://hooks.example.org/', events: ['bio.message'] });
    await nats.kill();
    await stateIs(server, 'unreachable');
    expect(await send(`/o/${poll}`, { answer: 'two' })).toBe(200);
    expect(await send(`/o/${news}`, { answer: 'dana@example.com' })).toBe(200);
    expect(await write('From afar')).toBe(200);
    // The same visitor, at the origin this time.
    expect(await send(`/o/${poll}`, { answer: 'one' }, server.origin)).toBe(200);
    await edge.close();
    edge = await startEdge(server, { folder: edge.folder });
    expect(await write('Once more')).toBe(200);
    expect(await messages()).toEqual([]);

    await nats.restart();
    await expect.poll(messages, { ...calmly, timeout: 40_000 }).toEqual(['Once more', 'From afar']);
    expect(await answersOf(news)).toEqual([{ value: 'dana@example.com', count: 1 }]);
    expect(await answersOf(poll)).toEqual([{ value: 'one', count: 1 }]);
    const told = server.databases.main
      .prepare(
        `SELECT (SELECT count(*) FROM webhook_events WHERE type = 'bio.message')
              + (SELECT count(*) FROM webhook_deliveries WHERE type = 'bio.message')`,
      )
      .pluck()
      .get();
    expect(told).toBe(2);
    const { data } = (await server.request('GET', '/api/fleet/edges')).body;
    expect(data.edges).toMatchObject([{ state: expect.stringMatching(/current|behind/) }]);
  });

  it('do not delay a visitor who connects after a hundred others', async () => {
    const busy = await startEdge(server, { settings: { trustedProxies: ['127.0.0.1'] } });
    const open: Socket[] = [];
    const connected = async () => {
      const socket = connectTo(busy.port, '127.0.0.1');
      open.push(socket);
      await once(socket, 'connect');
      return socket;
    };
    const head = (first: string, ...fields: string[]) =>
      [first, 'Host: 127.0.0.1', 'Connection: close', ...fields, '', ''].join('\r\n');
    try {
      await make('/api/url/add', { url: 'https://example.org/last', custom: 'last' });
      await vi.waitFor(async () => expect((await busy.visit('/last')).status).toBe(302), calmly);
      let taken = 0;
      const replies = Array.from({ length: 100 }, async (_, network) => {
        const sender = await connected();
        const body = `answer=reader${network}@example.com`;
        const form = [
          `X-Forwarded-For: 198.51.100.${network}`,
          'Content-Type: application/x-www-form-urlencoded',
          `Content-Length: ${body.length}`,
        ];
        sender.write(head(`POST /o/${news} HTTP/1.1`, ...form) + body);
        const reply = await text(sender);
        taken += 1;
        return reply;
      });
      const visitor = await connected();
      visitor.write(head('GET /last HTTP/1.1'));
      expect(await text(visitor)).toMatch(/^HTTP\/1\.1 302 .*Location: https:\/\/example\.org\/last/s);
      const takenBefore = taken;
      for (const reply of await Promise.all(replies)) expect(reply).toMatch(/^HTTP\/1\.1 200 /);
      expect(takenBefore).toBeLessThan(50);
    } finally {
      for (const socket of open) socket.destroy();
      await busy.close();
      removeFolders(busy);
    }
  });

  it('are accepted once, however often the engine delivers them', async () => {
    const before = await messages();
    expect(await write('Only once')).toBe(200);
    await expect.poll(messages, calmly).toEqual(['Only once', ...before]);
    const { user, password: pass } = natsUsers;
    const engine = await connect({ servers: nats.url, user, pass });
    const manager = await jetstreamManager(engine);
    const last = await manager.streams.getMessage('waypost_clicks', { last_by_subj: 'waypost.clicks.>' });
    if (!last) throw new Error('nothing was shipped');
    await jetstream(engine).publish(last.subject, last.data);
    await engine.close();
    expect(await write('And another')).toBe(200);
    await expect.poll(messages, calmly).toEqual(['And another', 'Only once', ...before]);
  });

  it('are accepted again after a restore of the origin, and never for a form that got the id since', async () => {
    const { folder, clock } = server;
    const before = await messages();
    await server.close();
    const backup = `${folder}-backup`;
    cpSync(join(folder, 'waypost.sqlite'), backup);
    server = await startOrigin(nats, { folder, clock });
    const lost = await addPoll();
    await catchUp();
    expect(await send(`/o/${lost}`, { answer: 'two' })).toBe(200);
    expect(await write('After the backup')).toBe(200);
    await expect.poll(() => answersOf(lost), calmly).toEqual([{ value: 'two', count: 1 }]);
    await expect.poll(messages, calmly).toEqual(['After the backup', ...before]);
    await server.close();
    cpSync(backup, join(folder, 'waypost.sqlite'));
    clock.advance(1000);
    // Of the engine it hears when the id is given once more already.
    await nats.kill();
    server = await startApp({ folder, clock, baseUrl: fleetUrl });
    server.app.startJobs();
    expect(await addPoll()).toBe(lost);
    await nats.restart();
    await expect.poll(messages, { ...calmly, timeout: 40_000 }).toEqual(['After the backup', ...before]);
    expect(await answersOf(lost)).toEqual([]);
    rmSync(backup);
  });
});

test('are limited to a thousand per form and ten thousand in total on an edge, which then says that it is full', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-entries-'));
  const databases = openDatabases({ folder, migrations, newId: randomUUID, now: () => 0 });
  const { main } = databases;
  main.pragma('foreign_keys = 0');
  const { forms, waiting } = entryLog({
    connection: main,
    nameOf: () => ({ log: randomUUID(), last: Number.MAX_SAFE_INTEGER }),
    onEntry() {},
  });
  const fill = (target: string, count: number) =>
    main
      .prepare(
        `INSERT INTO fleet_entries (target, body) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         SELECT ?, '{}' FROM n`,
      )
      .run(count, target);
  main.exec(`INSERT INTO overlays (id, user_id, name, type, position, colors, content, created_at)
    VALUES (1, 1, '', 'poll', '', '{}', '{}', 5), (2, 1, '', 'poll', '', '{}', '{}', 5)`);
  const answer = (overlay: number) => forms.addAnswer({ overlay, sender: 'somebody', value: 'one', at: 10 });
  fill('overlay 1', 999);
  expect(answer(1)).toBe(true);
  expect(answer(1)).toBe(false);
  expect(answer(2)).toBe(true);
  fill('overlay 3', 10_000 - waiting());
  expect(() => answer(2)).toThrow('wait for the engine already');
  expect(() => answer(9)).toThrow('is gone');
  databases.close();
  rmSync(folder, { recursive: true });
});
