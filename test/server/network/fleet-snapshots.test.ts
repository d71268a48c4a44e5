import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectEngine, type Engine } from '../../../server/network/fleet/engine.ts';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { getSnapshot, putSnapshot, sweepSnapshots } from '../../../server/network/fleet/snapshots.ts';
import { prepareStreams } from '../../../server/network/fleet/streams.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';
import { hasNats, type NatsServer, natsMissing, natsUsers, startNats } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

const store = fleetSubjects.snapshots;
const mib = 2 ** 20;

describe.skipIf(!hasNats)("a fleet's data in the engine", () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-snapshots-'));
  const key = Buffer.alloc(32, 7);
  const source = join(folder, 'source');
  let nats: NatsServer;
  let engine: Engine;

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    engine = await connectEngine({ url: nats.url, ...natsUsers }, 'waypost-origin');
    writeFileSync(source, 'links');
  });

  afterAll(async () => {
    await engine.close();
    await nats.close();
    rmSync(folder, { recursive: true });
  });

  const put = (name: string) => putSnapshot(engine, store, { file: source, name, key });
  const get = (name: string, more: { freeBytes?: () => Promise<number> } = {}) =>
    getSnapshot(engine, store, { name, file: join(folder, name), key, ...more });

  it('is always the last two snapshots, whatever the clock says', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01') });
    await put('snapshot-1-8-0');
    await put('snapshot-1-9-1');
    vi.setSystemTime('2020-01-01');
    await put('snapshot-1-10-2');
    vi.useRealTimers();
    await get('snapshot-1-10-2');
    await get('snapshot-1-9-1');
    expect(readFileSync(join(folder, 'snapshot-1-10-2'), 'utf8')).toBe('links');
    await expect(get('snapshot-1-8-0')).rejects.toThrow('is not in the engine any more');
  });

  it('never fills a disk, and the reason is clear', async () => {
    await put('snapshot-2-1-3');
    const full = { freeBytes: async () => 4 * mib };
    await expect(get('snapshot-2-1-3', full)).rejects.toThrow(
      'a new copy of the links needs 17 MiB at least, and the disk has 4 MiB free',
    );
    await get('snapshot-2-1-3', { freeBytes: async () => 20 * mib });
  });

  it('is limited to the available space, and file contents make room', async () => {
    const { changes, clicks, files } = fleetSubjects;
    const { Objm } = await import('@nats-io/obj');
    const boundOf = async (stream: string) =>
      (await engine.manager.streams.info(stream)).config.max_bytes / mib;
    const prepare = (mibs: number) =>
      prepareStreams(engine, fleetSubjects, {
        ...{ fleet: 'f', takeOver: false, retention: { bytes: mibs * mib, hours: 1 } },
      });
    expect(await prepare(1_024)).toBe(true);
    await new Objm(engine.streams).create(files.bucket);
    await engine.manager.streams.update(files.stream, { max_bytes: 4_096 * mib });

    // Of 8 GB, 3 GiB each are there only with what is set aside for files.
    expect(await prepare(3_072)).toBe(true);
    expect([await boundOf(changes.stream), await boundOf(clicks.stream)]).toEqual([3_072, 3_072]);
    const left = await boundOf(files.stream);
    expect(left).toBeGreaterThan(64);
    expect(left).toBeLessThan(4_096);

    expect(await prepare(2 ** 20)).toBe(false);
    expect([await boundOf(changes.stream), await boundOf(clicks.stream)]).toEqual([3_072, 3_072]);
    expect(await prepare(1_024)).toBe(true);
    expect([await boundOf(changes.stream), await boundOf(clicks.stream)]).toEqual([1_024, 1_024]);
  });

  it('is swept in small steps, which delay no change', async () => {
    for (let piece = 0; piece < 50; piece += 1)
      await engine.streams.publish(`$O.${store}.C.left${piece}`, 'a piece');
    const purge = vi.spyOn(engine.manager.streams, 'purge');
    await sweepSnapshots(engine, store);
    expect(purge).toHaveBeenCalledTimes(20);
    purge.mockRestore();
  });
});
