import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectEngine } from '../../../server/network/fleet/engine.ts';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { type FollowedReplica, follow } from '../../../server/network/fleet/follower.ts';
import { publisher } from '../../../server/network/fleet/publisher.ts';
import { fleetSeal } from '../../../server/network/fleet/seal.ts';
import { prepareStreams } from '../../../server/network/fleet/streams.ts';
import { fleetSubjects as subjects } from '../../../server/network/fleet/subjects.ts';
import { packUnit, unpackUnit } from '../../../server/network/fleet/unit-body.ts';
import { hasNats, natsMissing, natsUsers, startNats } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

const schema = 73;
const nothing = () => {};
type Sums = Record<string, string>;

/** An origin and an edge between which only the engine is real; their checksums are made when a test says so. */
async function startFleet() {
  const nats = await startNats(engineUsers(natsUsers));
  const folder = mkdtempSync(join(tmpdir(), 'waypost-checksums-'));
  const seal = fleetSeal(Buffer.alloc(32, 7));
  const atOrigin = await connectEngine({ url: nats.url, ...natsUsers }, 'waypost-origin');
  const edgeUser = { user: natsUsers.edgeuser, password: natsUsers.edgepassword };
  const atEdge = await connectEngine({ url: nats.url, ...edgeUser }, 'waypost-edge-1');
  onTestFinished(async () => {
    await atEdge.close();
    await atOrigin.close();
    await nats.close();
    rmSync(folder, { recursive: true });
  });
  const retention = { bytes: 2 ** 20, hours: 1 };
  await prepareStreams(atOrigin, subjects, { fleet: 'f', retention, takeOver: false });

  let written = 0;
  const theirs = Promise.withResolvers<Sums>();
  const ours = Promise.withResolvers<Sums>();
  const publishing = publisher(
    {
      reader: {
        async unit(from, of) {
          if (from === written) return undefined;
          const body = packUnit({ ...of, from, to: written, tables: {} });
          return body === 'many' ? body : { to: written, body };
        },
        async snapshot(target) {
          writeFileSync(target, '');
          return written;
        },
        checksums: async (at) => (at === written ? { sums: theirs.promise } : undefined),
        usedLimits: async () => [],
        close: async () => {},
      },
      queries: { branches: () => [], position: () => written, countAfter: () => 0 },
      logQueries: {
        confirm: () => false,
        trim: () => false,
        beginEpoch: () => undefined,
        lastEpoch: () => 0,
      },
      ...{ branch: 'b', hasPublished: false, lastLink: 0, schema, folder },
    },
    { engine: atOrigin, seal, subjects },
  );
  await publishing.begin();

  let position: ReturnType<FollowedReplica['position']>;
  const edge = { summed: [] as number[], snapshots: 0, lines: [] as string[] };
  const replica: FollowedReplica = {
    position: () => position,
    read: async (packed) => unpackUnit(packed),
    async apply({ epoch, to }, sequence) {
      position = { fleet: 'f', epoch, position: to, sequence };
    },
    async replace({ epoch, position: at, sequence }) {
      edge.snapshots += 1;
      position = { fleet: 'f', epoch, position: at, sequence };
    },
    async checksums(at) {
      edge.summed.push(at);
      return at === position?.position ? { sums: ours.promise } : undefined;
    },
    shareSalt: nothing,
  };
  const note = (...said: unknown[]) => void edge.lines.push(String(said.at(-1)));
  const following = follow(
    {
      ...{ id: 1, installation: 'i', schema, replica, onEdges: nothing, onCertificate: nothing },
      ...{ onRevoked: nothing, onProblem: nothing, log: { info: note, warn: note } },
    },
    { engine: atEdge, seal, subjects },
  );
  following.catch(nothing);
  await expect.poll(() => edge.snapshots).toBe(1);
  return {
    ...{ publishing, edge, theirs, ours },
    /** A change at the origin; returns once the edge has it. */
    async change() {
      written += 1;
      await publishing.publishNext();
      await expect.poll(() => position?.position).toBe(written);
    },
  };
}

describe.skipIf(!hasNats)('checksums that take long', () => {
  test('delay no change at the origin or on its way to an edge', async () => {
    const { publishing, edge, theirs, ours, change } = await startFleet();
    await change();
    const summed = Promise.withResolvers<void>();
    await publishing.check(summed.resolve);
    await expect.poll(() => edge.summed).toEqual([1]);
    // Neither is done.
    await publishing.sendSums();
    await change();
    // The origin is, whose sums are of a state that the edge has left.
    theirs.resolve({ links: 'x' });
    await summed.promise;
    await publishing.sendSums();
    await change();
    expect(edge.summed).toEqual([1]);

    ours.resolve({ links: 'y' });
    await expect.poll(() => edge.lines).toContain('the replica differs from the origin and is replaced');
    await publishing.offerSnapshot();
    await expect.poll(() => edge.snapshots).toBe(2);
  });

  test('are compared at a point without changes', async () => {
    const { publishing, edge, theirs, ours } = await startFleet();
    const summed = Promise.withResolvers<void>();
    await publishing.check(summed.resolve);
    theirs.resolve({ links: 'x' });
    ours.resolve({ links: 'y' });
    await summed.promise;
    await publishing.sendSums();
    await expect.poll(() => edge.lines).toContain('the replica differs from the origin and is replaced');
  });

  test('of the same records change nothing, and are computed once for each position', async () => {
    const { publishing, edge, theirs, ours, change } = await startFleet();
    await change();
    const summed = Promise.withResolvers<void>();
    await publishing.check(summed.resolve);
    await publishing.check(summed.resolve);
    for (const each of [theirs, ours]) each.resolve({ links: 'x' });
    await summed.promise;
    await publishing.sendSums();
    await publishing.check(nothing);
    await change();
    expect(edge).toMatchObject({ summed: [1], snapshots: 1 });
    expect(edge.lines.join()).not.toContain('differs');
  });

  test('that cannot be computed are reported to the sender, and the edge keeps its records', async () => {
    const { publishing, edge, theirs, ours, change } = await startFleet();
    await change();
    const summed = Promise.withResolvers<void>();
    await publishing.check(summed.resolve);
    await expect.poll(() => edge.summed).toEqual([1]);
    theirs.reject(new Error('the disk fails'));
    ours.resolve({ links: 'y' });
    await summed.promise;
    await expect(publishing.sendSums()).rejects.toThrow('the disk fails');
    await change();
    expect(edge.snapshots).toBe(1);
  });
});
