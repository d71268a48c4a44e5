import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectEngine } from '../../../server/network/fleet/engine.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';
import { openReader } from '../../../server/platform/database/connect.ts';
import { dayMs } from '../../../server/visits/clicks/dimensions.ts';
import { browser, fleetBench, startEdge, stateIs } from '../../support/fleet.ts';
import { hasNats, natsMissing, natsUsers } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

/** A pause between two questions to the interface, which counts them. */
const calmly = { timeout: 20_000, interval: 250 };

describe.skipIf(!hasNats)('a visitor of several machines of a fleet', () => {
  const fleet = fleetBench();

  async function addLink(custom: string, options: object = {}): Promise<number> {
    const body = { url: 'https://example.org/', custom, ...options };
    const reply = await fleet.server.request('POST', '/api/url/add', { body });
    expect(reply.body).toMatchObject({ error: 0 });
    await expect.poll(async () => (await fleet.edge.visit(`/${custom}+`)).status, calmly).toBe(200);
    return reply.body.id;
  }

  const atOrigin = (path: string, headers: Record<string, string> = browser) =>
    fetch(fleet.server.origin + path, { redirect: 'manual', headers });

  const stats = async (id: number) => (await fleet.server.request('GET', `/api/url/${id}/stats`)).body.data;

  /** The days of the salts that the files in a folder hold. */
  function saltDays(folder: string): number[] {
    const files = globSync('**/*.sqlite', { cwd: folder }).map((file) => join(folder, file));
    return files.filter(existsSync).flatMap((file) => {
      const database = openReader(file);
      try {
        const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'visitor_salt'").get();
        return isThere ? (database.prepare('SELECT day FROM visitor_salt').pluck().all() as number[]) : [];
      } finally {
        database.close();
      }
    });
  }

  it('is led to the same of several destinations by all of them', async () => {
    const abtesting = ['a', 'b', 'c'].map((name) => ({ url: `https://example.org/${name}`, percentage: 25 }));
    await addLink('split', { abtesting });
    const led = new Set<string | null>();
    for (let visitor = 0; visitor < 12; visitor += 1) {
      const headers = { 'user-agent': `${browser['user-agent']} Visitor/${visitor}` };
      const there = (await atOrigin('/split', headers)).headers.get('location');
      expect((await fleet.edge.visit('/split', headers)).location).toBe(there);
      led.add(there);
    }
    expect(led.size).toBeGreaterThan(1);
  });

  it('is forgotten with the day by the engine and the edge', async () => {
    await addLink('daily');
    expect((await fleet.edge.visit('/daily')).status).toBe(302);
    const today = Math.floor(fleet.server.clock.now() / dayMs);
    const { state } = fleetSubjects;
    const inEngine = async () => {
      const engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-origin');
      const found = await engine.manager.streams.info(state.stream, { subjects_filter: `${state.salts}>` });
      await engine.close();
      return Object.keys(found.state.subjects ?? {}).toSorted();
    };
    await expect.poll(inEngine, calmly).toEqual([state.salt(today), state.salt(today + 1)]);
    expect(saltDays(fleet.edge.folder)).toContain(today);
    // The origin may have slept over days.
    fleet.server.clock.advance(4 * dayMs);
    await expect.poll(inEngine, calmly).toEqual([state.salt(today + 4), state.salt(today + 5)]);
    expect((await fleet.edge.visit('/daily')).status).toBe(302);
    expect(saltDays(fleet.edge.folder)).not.toContain(today);
  });

  it('is counted by an edge that begins a day without the engine, and may count as two visitors then', async () => {
    const id = await addLink('alone');
    const { folder } = fleet.edge;
    await fleet.nats.kill();
    await stateIs(fleet.server, 'unreachable');
    await fleet.edge.close();
    // The salts of the day on which it was closed and of the next one had come.
    fleet.server.clock.advance(3 * dayMs);
    fleet.edge = await startEdge(fleet.server, { folder });
    for (let visit = 0; visit < 2; visit += 1) expect((await fleet.edge.visit('/alone')).status).toBe(302);
    expect((await atOrigin('/alone')).status).toBe(302);
    await fleet.nats.restart();
    await stateIs(fleet.server, 'connected');
    await expect.poll(async () => (await stats(id)).clicks, calmly).toBe(3);
    expect((await stats(id)).uniqueclicks).toBe(2);
  });
});
