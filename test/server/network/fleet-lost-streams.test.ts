import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine, type Engine } from '../../../server/network/fleet/engine.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';
import { browser, fleetBench, removeFolders, startEdge } from '../../support/fleet.ts';
import { anotherName } from '../../support/names.ts';
import { hasNats, natsMissing, natsUsers } from '../../support/nats.ts';
import { some } from '../../support/trials.ts';

if (!hasNats) console.warn(natsMissing);

/** More misses than sixty a minute are refused. */
const calmly = { timeout: 30_000, interval: 500 };
const { changes, clicks, files, limits, snapshots, state } = fleetSubjects;

describe.skipIf(!hasNats)('a fleet whose engine lost a stream', { tags: 'long' }, () => {
  const fleet = fleetBench();
  let engine: Engine;

  beforeAll(async () => {
    engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-test');
  });
  afterAll(() => engine.close());

  async function addLink(further: object = {}): Promise<{ id: number; path: string }> {
    const custom = anotherName('kept');
    const body = { url: 'https://example.org/', custom, ...further };
    const reply = await fleet.server.request('POST', '/api/url/add', { body });
    expect(reply.body).toMatchObject({ error: 0 });
    return { id: reply.body.id, path: `/${custom}` };
  }

  const clicksOf = async (id: number) =>
    (await fleet.server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;
  const statusAt = async (origin: string, path: string) => {
    const reply = await fetch(origin + path, { redirect: 'manual', headers: browser });
    await reply.arrayBuffer();
    return reply.status;
  };
  const shown = async () => (await fleet.server.request('GET', '/api/fleet/edges')).body.data.edges[0].state;

  const streams = [
    clicks.stream,
    limits.stream,
    changes.stream,
    state.stream,
    `OBJ_${snapshots}`,
    files.stream,
  ];

  it.each(some(streams, { from: 0, short: 1 }))(
    'recreates it by itself, and answers and counts each click once: %s',
    async (stream) => {
      const { edge, server } = fleet;
      const before = await addLink();
      const limited = await addLink({ clicklimit: 3 });
      await expect.poll(() => statusAt(edge.origin, `${limited.path}+`), calmly).toBe(200);
      for (const machine of [edge, server]) expect(await statusAt(machine.origin, limited.path)).toBe(302);
      expect(await statusAt(edge.origin, before.path)).toBe(302);
      await expect.poll(() => clicksOf(before.id), calmly).toBe(1);
      await expect.poll(() => clicksOf(limited.id), calmly).toBe(2);

      const { created } = await engine.manager.streams.info(stream);
      // The origin looks every few seconds; after connections that end at once it takes its time.
      server.clock.advance(20_000);
      await engine.manager.streams.delete(stream);
      expect(await statusAt(edge.origin, before.path)).toBe(302);
      const after = await addLink();
      const isAnother = async () =>
        await engine.manager.streams.info(stream).then(
          (found) => found.created !== created,
          () => false,
        );
      await expect.poll(isAnother, calmly).toBe(true);
      await expect.poll(() => statusAt(edge.origin, `${after.path}+`), calmly).toBe(200);
      expect(await statusAt(edge.origin, after.path)).toBe(302);
      // Nobody is given more than were left, whatever the engine forgot.
      await expect.poll(() => statusAt(edge.origin, limited.path), calmly).toBe(302);
      for (const machine of [edge, server]) expect(await statusAt(machine.origin, limited.path)).toBe(410);
      await expect.poll(() => clicksOf(before.id), calmly).toBe(2);
      await expect.poll(() => clicksOf(after.id), calmly).toBe(1);
      await expect.poll(() => clicksOf(limited.id), calmly).toBe(3);
      await expect.poll(shown, calmly).toBe('current');
      const later = await startEdge(server);
      try {
        await expect.poll(() => statusAt(later.origin, before.path), calmly).toBe(302);
        // Not before it is there: the folder of the edge goes with its clicks.
        await expect.poll(() => clicksOf(before.id), calmly).toBe(3);
      } finally {
        await later.close();
        removeFolders(later);
      }
    },
  );
});
