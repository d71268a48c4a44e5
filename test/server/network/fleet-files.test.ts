import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browser,
  fleetBench,
  removeFolders,
  startEdge,
  startOrigin,
  stateIs,
  type TestEdge,
} from '../../support/fleet.ts';
import { hasNats, natsMissing, natsUsers } from '../../support/nats.ts';
import { upload } from '../../support/uploads.ts';

if (!hasNats) console.warn(natsMissing);

/** A pause between two questions to the interface, which counts them. */
const calmly = { timeout: 20_000, interval: 250 };

describe.skipIf(!hasNats)('an uploaded file, on an edge', () => {
  const fleet = fleetBench();

  /** Uploads a content and waits until the edge knows of it; nothing is fetched by that. */
  async function publish(content: string | Buffer, query: Record<string, string> = {}, name?: string) {
    const { id, shorturl } = await upload(fleet.server, content, query, name);
    const path = new URL(shorturl).pathname;
    await isKnown(path);
    return { id, path };
  }

  const isKnown = (path: string, to = fleet.edge) =>
    expect.poll(async () => (await to.visit(`${path}+`)).status, calmly).toBe(200);

  interface Ask {
    method?: string;
    headers?: Record<string, string>;
    body?: URLSearchParams;
  }

  /** The reply of a machine: status, all headers but the time, and bytes. */
  async function ask(origin: string, path: string, { headers, ...init }: Ask = {}) {
    const reply = await fetch(origin + path, {
      redirect: 'manual',
      headers: { ...browser, ...headers },
      ...init,
    });
    const { date: _, ...rest } = Object.fromEntries(reply.headers);
    return { status: reply.status, headers: rest, bytes: Buffer.from(await reply.arrayBuffer()) };
  }

  const kept = (of = fleet.edge): string[] =>
    readdirSync(join(of.folder, 'files')).filter((name) => name !== 'tmp');

  it('is downloaded as from the origin, byte for byte, also in parts', async () => {
    const content = randomBytes(700_001);
    const { path } = await publish(content, {}, 'Übersicht 2026.zip');
    const asked: [string, Ask][] = [
      ['', { method: 'HEAD' }],
      ['', {}],
      ['', { headers: { range: 'bytes=500000-500009' } }],
      ['', { headers: { range: 'bytes=-5' } }],
      ['', { headers: { range: 'bytes=700001-' } }],
      ['', { headers: { range: 'bytes=5-', 'if-range': '"other"' } }],
      ['?anything', {}],
      ['+', {}],
      ['', { method: 'POST' }],
    ];
    for (const [suffix, how] of asked) {
      const [here, there] = await Promise.all([
        ask(fleet.edge.origin, path + suffix, how),
        ask(fleet.server.origin, path + suffix, how),
      ]);
      expect(here, JSON.stringify(how)).toEqual(there);
    }
    expect((await ask(fleet.edge.origin, path)).bytes.equals(content)).toBe(true);
  });

  it('requires its password, which unlocks it for the same time', async () => {
    const { path } = await publish('behind a door', { password: 'open sesame' });
    expect((await ask(fleet.edge.origin, path)).bytes.toString()).toContain('type="password"');
    expect(kept().length).toBeLessThan(2);
    const send = (password: string) =>
      ask(fleet.edge.origin, path, { method: 'POST', body: new URLSearchParams({ password }) });
    expect((await send('wrong')).status).toBe(403);
    const opened = await send('open sesame');
    expect(opened.status).toBe(303);
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
    const reply = await ask(fleet.edge.origin, path, { headers: { cookie } });
    expect(reply.bytes.toString()).toBe('behind a door');
  });

  it('stays available without the engine and the origin, also after a restart', async () => {
    const { path } = await publish('fetched before');
    const other = await publish('never asked for');
    expect((await ask(fleet.edge.origin, path)).bytes.toString()).toBe('fetched before');
    await fleet.nats.kill();
    const { folder } = fleet.edge;
    await fleet.edge.close();
    fleet.edge = await startEdge(fleet.server, { folder });
    expect((await ask(fleet.edge.origin, path)).bytes.toString()).toBe('fetched before');
    const missing = await ask(fleet.edge.origin, other.path);
    expect(missing.status).toBe(503);
    expect(missing.headers['retry-after']).toBe('10');
    expect(missing.bytes.toString()).toContain('Try again in a minute');
    await fleet.nats.restart();
    await stateIs(fleet.server, 'connected');
    const retried = async () => (await ask(fleet.edge.origin, other.path)).bytes.toString();
    await expect.poll(retried, calmly).toBe('never asked for');
  });

  it('comes from the engine while the origin is away, if another edge has requested it', async () => {
    const { path } = await publish('asked for by two');
    expect((await ask(fleet.edge.origin, path)).status).toBe(200);
    const second = await startEdge(fleet.server);
    await isKnown(path, second);
    const { folder } = fleet.server;
    await fleet.server.close();
    expect((await ask(second.origin, path)).bytes.toString()).toBe('asked for by two');
    fleet.server = await startOrigin(fleet.nats, { folder });
    await second.close();
    removeFolders(second);
  });

  it("is no longer served once the origin deleted it, and is removed from the edge's disk", async () => {
    const { id, path } = await publish('for a while');
    expect((await ask(fleet.edge.origin, path)).status).toBe(200);
    const before = kept();
    expect((await fleet.server.request('DELETE', `/api/file/${id}/delete`)).status).toBe(200);
    await expect.poll(async () => (await ask(fleet.edge.origin, path)).status, calmly).toBe(404);
    await expect.poll(() => kept().length).toBe(before.length - 1);
  });

  it('is fetched again if its copy was damaged, and the damaged one is never served', {
    tags: 'long',
  }, async () => {
    const content = randomBytes(300_000);
    const { path } = await publish(content);
    const before = kept();
    expect((await ask(fleet.edge.origin, path)).status).toBe(200);
    const [name = ''] = kept().filter((each) => !before.includes(each));
    const { folder } = fleet.edge;
    await fleet.edge.close();
    const file = join(folder, 'files', name);
    const bytes = readFileSync(file);
    bytes[100_000] = (bytes[100_000] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    fleet.edge = await startEdge(fleet.server, { folder });
    await stateIs(fleet.server, 'connected');
    const reply = async () => (await ask(fleet.edge.origin, path)).bytes.equals(content);
    await expect.poll(reply, calmly).toBe(true);
    expect(fleet.edge.lines.join('')).toContain('was damaged and is fetched again');
    rmSync(file);
    await expect.poll(reply, calmly).toBe(true);
  });

  it('is put into the engine again if it was damaged there', { tags: 'long' }, async () => {
    const content = randomBytes(300_000);
    const { path } = await publish(content);
    const owner = await connect({ servers: fleet.nats.url, user: natsUsers.user, pass: natsUsers.password });
    const objects = await new Objm(jetstream(owner)).open('waypost_files');
    const name = storageOf(path);
    // Of the same size, with what belongs around it, and by somebody without the fleet's key.
    await objects.putBlob({ name }, randomBytes(300_028));
    const { status, bytes } = await ask(fleet.edge.origin, path);
    expect(status).toBe(503);
    expect(bytes.toString()).toContain('Try again in a minute');
    expect(fleet.edge.lines.join('')).toContain('The engine has a damaged copy of a file');
    fleet.server.clock.advance(61_000);
    const reply = async () => (await ask(fleet.edge.origin, path)).bytes.equals(content);
    await expect.poll(reply, calmly).toBe(true);
    await owner.close();
  });

  it('waits until the engine has space for it', { tags: 'long' }, async () => {
    const content = randomBytes(300_000);
    const { path } = await publish(content);
    const owner = await connect({ servers: fleet.nats.url, user: natsUsers.user, pass: natsUsers.password });
    const manager = await jetstreamManager(owner);
    await manager.streams.update('OBJ_waypost_files', { max_bytes: 100_000 });
    expect((await ask(fleet.edge.origin, path)).status).toBe(503);
    expect(fleet.edge.lines.join('')).toContain('The engine has no room for a file.');
    expect(fleet.server.logLines().join('')).toContain('The engine has no room for a file.');
    await manager.streams.update('OBJ_waypost_files', { max_bytes: -1 });
    const reply = async () => (await ask(fleet.edge.origin, path)).bytes.equals(content);
    await expect.poll(reply, calmly).toBe(true);
    await owner.close();
  });

  it('whose content the origin lost is 503 with a page, and others still work', {
    tags: 'long',
  }, async () => {
    const { path } = await publish('lost');
    const other = await publish('kept');
    rmSync(join(fleet.server.folder, 'files', storageOf(path)));
    const { status, bytes } = await ask(fleet.edge.origin, path);
    expect(status).toBe(503);
    expect(bytes.toString()).toContain('Try again in a minute');
    expect((await ask(fleet.edge.origin, other.path)).bytes.toString()).toBe('kept');
  });

  it('is only encrypted in the engine and on the wire, and is removed there after its deletion', async () => {
    const secret = 'nobody reads this on the way';
    const { id, path } = await publish(secret.repeat(1_000));
    const name = storageOf(path);
    expect((await ask(fleet.edge.origin, path)).status).toBe(200);
    const owner = await connect({ servers: fleet.nats.url, user: natsUsers.user, pass: natsUsers.password });
    const objects = await new Objm(jetstream(owner)).open('waypost_files');
    const sealed = await objects.getBlob(name);
    expect(sealed?.length).toBe(secret.length * 1_000 + 28);
    expect(Buffer.from(sealed ?? []).includes(secret)).toBe(false);
    await fleet.server.request('DELETE', `/api/file/${id}/delete`);
    fleet.server.clock.advance(61_000);
    await expect.poll(() => objects.info(name), calmly).toBeNull();
    await owner.close();
  });

  describe('with a download limit', () => {
    let second: TestEdge;
    beforeAll(async () => {
      second = await startEdge(fleet.server);
    });
    afterAll(async () => {
      await second.close();
      removeFolders(second);
    });

    const machines = (): string[] => [fleet.server.origin, fleet.edge.origin, second.origin];
    const statusAt = async (origin: string, path: string, how: Ask = {}) =>
      (await ask(origin, path, how)).status;
    const fileOf = async (id: number) => (await fleet.server.request('GET', `/api/file/${id}`)).body.data;

    it('is served exactly that often by all machines together, however many ask at once', async () => {
      const { id, path } = await publish('ten times', { maxdownloads: '10' });
      await isKnown(path, second);
      const visits = Array.from({ length: 60 }, (_, visit) => ask(machines()[visit % 3] as string, path));
      const replies = await Promise.all(visits);
      const given = replies.filter(({ status }) => status === 200);
      expect(given.map(({ bytes }) => bytes.toString())).toEqual(Array(10).fill('ten times'));
      expect(replies.filter(({ status }) => status === 410)).toHaveLength(50);
      await expect.poll(() => fileOf(id), calmly).toMatchObject({ downloads: 10, state: 'exhausted' });
    });

    it('is used up on every machine for every request, even where nobody asked before', async () => {
      const { path } = await publish('only once', { maxdownloads: '1', password: 'open sesame' });
      await isKnown(path, second);
      const asked: [string, Ask][] = [
        ['', {}],
        ['', { method: 'HEAD' }],
        ['+', {}],
        ['', { method: 'POST', body: new URLSearchParams({ password: 'open sesame' }) }],
      ];
      const opened = await ask(fleet.edge.origin, path, asked[3]?.[1]);
      const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
      const part = { headers: { cookie, range: 'bytes=0-3' } };
      // The cookie of one edge opens the file on the other; a part of it is the whole one.
      const { bytes, headers, status } = await ask(second.origin, path, part);
      expect([status, bytes.toString(), headers['accept-ranges']]).toEqual([200, 'only once', 'none']);
      for (const machine of machines()) {
        for (const [suffix, how] of asked) {
          const statusNow = () => statusAt(machine, path + suffix, how);
          await expect.poll(statusNow, { message: `${machine} ${suffix} ${how.method}` }).toBe(410);
        }
      }
    });

    it('counts downloads from before it had one, and continues when the limit is raised', {
      tags: 'long',
    }, async () => {
      const { id, path } = await publish('at first without');
      for (let visit = 0; visit < 3; visit += 1) expect(await statusAt(fleet.server.origin, path)).toBe(200);
      const limitTo = async (maxdownloads: number | null) => {
        const reply = await fleet.server.request('PUT', `/api/file/${id}/update`, { body: { maxdownloads } });
        expect(reply.body).toMatchObject({ error: 0 });
        const isLimited = async () => (await ask(fleet.edge.origin, path, { method: 'HEAD' })).headers;
        await expect
          .poll(isLimited, calmly)
          .toMatchObject({ 'accept-ranges': maxdownloads === null ? 'bytes' : 'none' });
      };
      await limitTo(5);
      expect(await statusAt(fleet.edge.origin, path)).toBe(200);
      expect(await statusAt(fleet.server.origin, path)).toBe(200);
      for (const machine of machines()) expect(await statusAt(machine, path)).toBe(410);
      await expect.poll(async () => (await fileOf(id)).downloads, calmly).toBe(5);
      await limitTo(null);
      expect(await statusAt(fleet.server.origin, path)).toBe(200);
      await limitTo(7);
      expect(await statusAt(fleet.edge.origin, path)).toBe(200);
      for (const machine of machines()) expect(await statusAt(machine, path)).toBe(410);
      await expect.poll(() => fileOf(id), calmly).toMatchObject({ downloads: 7, state: 'exhausted' });
    });

    it('waits for the engine: 503 while it is away, on every machine, and the rest when it is back', async () => {
      const { path } = await publish('patient', { maxdownloads: '3' });
      await isKnown(path, second);
      expect(await statusAt(fleet.edge.origin, path)).toBe(200);
      await fleet.nats.kill();
      await stateIs(fleet.server, 'unreachable');
      for (const machine of machines()) {
        await expect.poll(() => statusAt(machine, path), calmly).toBe(503);
        const { headers, bytes } = await ask(machine, path);
        expect(headers['retry-after']).toBe('5');
        expect(bytes.toString()).toContain('Try again in a minute');
      }
      await fleet.nats.restart();
      await stateIs(fleet.server, 'connected');
      await expect.poll(() => statusAt(fleet.edge.origin, path), calmly).toBe(200);
      await expect.poll(() => statusAt(fleet.server.origin, path), calmly).toBe(200);
      for (const machine of machines()) await expect.poll(() => statusAt(machine, path), calmly).toBe(410);
    });

    it('keeps its count when the engine loses its disk', { tags: 'long' }, async () => {
      const { id, path } = await publish('twice', { maxdownloads: '2' });
      await isKnown(path, second);
      expect(await statusAt(fleet.edge.origin, path)).toBe(200);
      await expect.poll(async () => (await fileOf(id)).downloads, calmly).toBe(1);
      await fleet.nats.lose();
      await fleet.nats.restart();
      await stateIs(fleet.server, 'connected');
      await expect.poll(() => statusAt(second.origin, path), calmly).toBe(200);
      for (const machine of machines()) await expect.poll(() => statusAt(machine, path), calmly).toBe(410);
    });
  });

  const storageOf = (path: string): string =>
    fleet.server.databases.main
      .prepare<[string], string>('SELECT storage FROM files WHERE alias = ?')
      .pluck()
      .get(path.slice(1)) ?? '';
});
