import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectEngine } from '../../../server/network/fleet/engine.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';
import { connect } from '../../../server/platform/database/connect.ts';
import { dayMs } from '../../../server/visits/clicks/dimensions.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { runningClock } from '../../support/clock.ts';
import { fleetBench, fleetUrl, removeFolders, startEdge, startOrigin, stateIs } from '../../support/fleet.ts';
import { hasNats, natsMissing, natsUsers } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

/** A pause between two questions to the interface, which counts them. */
const calmly = { timeout: 40_000, interval: 700 };

describe.skipIf(!hasNats)('a fleet recovers by itself', () => {
  const fleet = fleetBench();

  async function addLink(alias: string, at: TestApp = fleet.server): Promise<number> {
    const { body } = await at.request('POST', '/api/url/add', {
      body: { url: `https://example.org/${alias}`, custom: alias },
    });
    expect(body).toMatchObject({ error: 0 });
    return body.id;
  }

  const clicksOf = async (id: number) =>
    (await fleet.server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;

  /** Waits until the edge answers a link; it limits how often what is unknown may be asked for. */
  const answers = (alias: string) =>
    expect.poll(async () => (await fleet.edge.visit(`/${alias}`)).status, calmly).toBe(302);

  /** Waits until everything that changed at the origin is in the engine. */
  const isPublished = () =>
    expect
      .poll(() => fleet.server.databases.main.prepare('SELECT count(*) FROM fleet_changes').pluck().get())
      .toBe(0);

  function changeReplica(sql: string): void {
    const name = readFileSync(join(fleet.edge.folder, 'current'), 'utf8').trim();
    const replica = connect(join(fleet.edge.folder, name, 'waypost.sqlite'), 'FULL');
    replica.exec(sql);
    replica.close();
  }

  it('if the snapshot that an edge starts with cannot be used: the origin makes another one', async () => {
    const engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-origin');
    const { Objm } = await import('@nats-io/obj');
    const snapshots = await new Objm(engine.streams).open(fleetSubjects.snapshots, false);
    for (const { name } of await snapshots.list()) await snapshots.delete(name);
    await engine.close();
    const second = await startEdge(fleet.server);
    expect(second.lines.join('')).toContain('the origin is asked for another one');
    await second.close();
    removeFolders(second);
  });

  it('after the engine lost everything', async () => {
    const id = await addLink('kept');
    await answers('kept');
    await expect.poll(() => clicksOf(id), calmly).toBe(1);
    await fleet.nats.lose();
    await stateIs(fleet.server, 'unreachable');
    expect((await fleet.edge.visit('/kept')).status).toBe(302);
    await fleet.nats.restart();
    await stateIs(fleet.server, 'connected');
    await addLink('anew');
    await answers('anew');
    await expect.poll(() => clicksOf(id), calmly).toBe(2);
  });

  it('with a new replica if a change does not fit into the current one, as soon as the origin wakes', {
    tags: 'long',
  }, async () => {
    await fleet.edge.close();
    await addLink('unfit');
    await isPublished();
    const { folder, clock } = fleet.server;
    await fleet.server.close();
    changeReplica(
      "CREATE TRIGGER damage BEFORE INSERT ON links BEGIN SELECT RAISE(ABORT, 'damaged on purpose'); END",
    );
    fleet.edge = await startEdge(fleet.server, { folder: fleet.edge.folder });
    await expect.poll(() => fleet.edge.lines.join('')).toContain('a new snapshot');
    fleet.server = await startOrigin(fleet.nats, { folder, clock });
    await answers('unfit');
    expect(fleet.edge.lines.join('')).toContain('could not be applied to the replica');
  });

  it('if the engine forgot which snapshot is the newest', { tags: 'long' }, async () => {
    await addLink('unnamed');
    await answers('unnamed');
    await isPublished();
    await fleet.edge.close();
    const engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-origin');
    const { state } = fleetSubjects;
    await engine.manager.streams.purge(state.stream, { filter: state.snapshot });
    await engine.close();
    rmSync(join(fleet.edge.folder, 'current'));
    fleet.edge = await startEdge(fleet.server, { folder: fleet.edge.folder });
    await answers('unnamed');
  });

  it('with changes from before it was away longer than the engine keeps', async () => {
    await fleet.edge.close();
    await addLink('aged');
    await isPublished();
    const engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-origin');
    await engine.manager.streams.purge(fleetSubjects.changes.stream);
    await engine.close();
    fleet.edge = await startEdge(fleet.server, { folder: fleet.edge.folder });
    await answers('aged');
  });

  it('with each click counted once if the engine forgot messages that the origin had read', {
    tags: 'long',
  }, async () => {
    const id = await addLink('forgotten');
    await answers('forgotten');
    await expect.poll(() => clicksOf(id), calmly).toBe(1);
    const { folder, clock } = fleet.server;
    await fleet.server.close();
    // As far as the origin had read, which is further than the engine is when it takes the next click.
    const database = connect(join(folder, 'waypost.sqlite'), 'FULL');
    database.exec('UPDATE fleet_intake SET sequence = sequence + 1');
    database.close();
    expect((await fleet.edge.visit('/forgotten')).status).toBe(302);
    const metrics = async () => (await fleet.edge.visit('/metrics')).text;
    await expect.poll(metrics).toContain('waypost_edge_waiting_clicks 0\n');
    fleet.server = await startOrigin(fleet.nats, { folder, clock });
    await expect.poll(() => clicksOf(id), calmly).toBe(2);
  });

  it('and its edge keeps its clicks while the engine holds another fleet', { tags: 'long' }, async () => {
    const id = await addLink('mine');
    await answers('mine');
    await expect.poll(() => clicksOf(id), calmly).toBe(1);
    const other = await startApp({ baseUrl: fleetUrl, clock: runningClock() });
    other.app.startJobs();
    const body = { enabled: true, url: fleet.nats.url, ...natsUsers, takeover: true };
    expect((await other.request('PUT', '/api/fleet/update', { body })).body).toMatchObject({ error: 0 });
    await stateIs(other, 'connected');
    expect((await fleet.edge.visit('/mine')).status).toBe(302);
    await expect.poll(() => fleet.edge.lines.join('')).toContain('holds another fleet');
    await other.close();
    const taken = await fleet.server.request('PUT', '/api/fleet/update', { body: { takeover: true } });
    expect(taken.body).toMatchObject({ error: 0 });
    await expect.poll(() => clicksOf(id), calmly).toBe(2);
  });

  it('with all clicks from while the engine was full, which the page reports meanwhile', async () => {
    const id = await addLink('full');
    await answers('full');
    await expect.poll(() => clicksOf(id), calmly).toBe(1);
    const { stream } = fleetSubjects.clicks;
    const engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-origin');
    const { max_bytes } = (await engine.manager.streams.info(stream)).config;
    await engine.manager.streams.update(stream, { max_bytes: 1 });
    for (let visit = 0; visit < 3; visit += 1) expect((await fleet.edge.visit('/full')).status).toBe(302);
    const shown = async () => (await fleet.server.request('GET', '/api/fleet/edges')).body.data.edges[0];
    await expect.poll(shown, calmly).toMatchObject({
      ...{ state: 'current', waiting: 3, reason: 'clicks_full' },
      problem: expect.stringContaining('They wait on their edges'),
    });
    await engine.manager.streams.update(stream, { max_bytes });
    await engine.close();
    await expect.poll(() => clicksOf(id), calmly).toBe(4);
    await expect.poll(shown, calmly).toMatchObject({ waiting: 0, reason: null, problem: null });
  });

  it('and keeps nothing in the engine of interrupted or deleted files', { tags: 'long' }, async () => {
    const engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-origin');
    const { files, snapshots } = fleetSubjects;
    const left = [
      ...[`$O.${files.bucket}.C.cutshort`, `$O.${snapshots}.C.cutshort`],
      // "gone", as the names of objects stand in subjects.
      `$O.${files.bucket}.M.Z29uZQ==`,
    ];
    for (const subject of left) await engine.streams.publish(subject, JSON.stringify({ deleted: true }));
    const subjectsOf = async (stream: string) =>
      Object.keys((await engine.manager.streams.info(stream, { subjects_filter: '>' })).state.subjects ?? {});
    const kept = async () => [...(await subjectsOf(files.stream)), ...(await subjectsOf(`OBJ_${snapshots}`))];
    expect(await kept()).toEqual(expect.arrayContaining(left));
    fleet.server.clock.advance(61_000);
    await expect.poll(async () => (await kept()).filter((each) => left.includes(each)), calmly).toEqual([]);
    // The snapshots that edges begin with are still there.
    expect((await subjectsOf(`OBJ_${snapshots}`)).some((each) => each.includes('.M.'))).toBe(true);
    await engine.close();
    rmSync(join(fleet.edge.folder, 'current'));
    await fleet.edge.close();
    fleet.edge = await startEdge(fleet.server, { folder: fleet.edge.folder });
  });

  it('and within a minute tells the engine what it forgot about edges: a revoked one stops responding', async () => {
    const other = await startEdge(fleet.server);
    await other.close();
    await fleet.server.request('DELETE', `/api/fleet/edge/${other.id}/delete`);
    const engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-origin');
    const { state } = fleetSubjects;
    const told = async () =>
      (await engine.manager.streams.info(state.stream, { subjects_filter: state.edge(other.id) })).state
        .subjects?.[state.edge(other.id)];
    await expect.poll(told, calmly).toBe(1);
    await engine.manager.streams.purge(state.stream, { filter: state.edge(other.id) });
    await engine.close();
    const again = await startEdge(fleet.server, { folder: other.folder });
    fleet.server.clock.advance(61_000);
    await expect.poll(async () => (await again.visit('/api/health')).status, calmly).toBe(503);
    await again.close();
    removeFolders(again);
  });

  it('and reports an edge whose disk is full, which has its links once there is space', {
    tags: 'long',
  }, async () => {
    await addLink('roomless');
    const full = await startEdge(fleet.server, { waits: false, freeBytes: async () => 0 });
    const shown = async () => {
      const { edges } = (await fleet.server.request('GET', '/api/fleet/edges')).body.data;
      return edges.find(({ id }: { id: number }) => id === full.id).reason;
    };
    await expect.poll(shown, calmly).toBe('disk_full');
    expect((await full.visit('/api/health')).status).toBe(503);
    await full.close();
    const again = await startEdge(fleet.server, { folder: full.folder });
    await expect.poll(async () => (await again.visit('/roomless')).status, calmly).toBe(302);
    await expect.poll(shown, calmly).toBe(null);
    await again.close();
    removeFolders(again);
  });

  it('and reports the visits that an edge answered but could not count, as on a full disk', {
    tags: 'long',
  }, async () => {
    const id = await addLink('uncounted');
    await answers('uncounted');
    await expect.poll(() => clicksOf(id), calmly).toBe(1);
    const replica = readFileSync(join(fleet.edge.folder, 'current'), 'utf8').trim();
    const database = connect(join(fleet.edge.folder, replica, 'waypost.sqlite'), 'FULL');
    const full = "BEFORE INSERT ON clicks BEGIN SELECT raise(ABORT, 'database or disk is full'); END";
    database.exec(`CREATE TRIGGER full_disk ${full}`);
    for (let visit = 0; visit < 3; visit += 1)
      expect((await fleet.edge.visit('/uncounted')).status).toBe(302);
    database.exec('DROP TRIGGER full_disk');
    database.close();
    const shown = async () => (await fleet.server.request('GET', '/api/fleet/edges')).body.data.edges[0];
    await expect.poll(shown, calmly).toMatchObject({ state: 'current', lost: 3, waiting: 0 });
    expect((await fleet.edge.visit('/metrics')).text).toContain('\nwaypost_edge_lost_clicks_total 3\n');
    await answers('uncounted');
    await expect.poll(() => clicksOf(id), calmly).toBe(2);
  });

  it('and reports an edge whose clock is a day ahead, whose visits are not dated tomorrow', async () => {
    await fleet.edge.close();
    fleet.edge = await startEdge(fleet.server, {
      folder: fleet.edge.folder,
      now: () => fleet.server.clock.now() + dayMs,
    });
    const id = await addLink('early');
    await answers('early');
    await expect.poll(() => clicksOf(id), calmly).toBe(1);
    const shown = async () =>
      (await fleet.server.request('GET', '/api/fleet/edges')).body.data.edges[0].problem;
    await expect
      .poll(shown, calmly)
      .toBe('The clock of this edge is 24 hours ahead of that of the origin. Set the one that is wrong.');
    const { data } = (await fleet.server.request('GET', '/api/clicks?limit=1')).body;
    expect(Date.parse(data.clicks[0].date)).toBeLessThanOrEqual(Date.now() + 1_000);
  });
});
