import { expect, test } from 'vitest';
import { connectEngine } from '../../../server/network/fleet/engine.ts';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { fleetLimits } from '../../../server/network/fleet/limits.ts';
import { fleetSeal } from '../../../server/network/fleet/seal.ts';
import { prepareStreams } from '../../../server/network/fleet/streams.ts';
import { fleetSubjects as subjects } from '../../../server/network/fleet/subjects.ts';
import { hasNats, natsMissing, natsUsers, startNats } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

test.skipIf(!hasNats)(
  'what a machine used up is noted with the answer, not when the engine tells',
  async () => {
    await using stack = new AsyncDisposableStack();
    const nats = stack.adopt(await startNats(engineUsers(natsUsers)), (each) => each.close());
    const address = { url: nats.url, ...natsUsers };
    const engine = stack.adopt(await connectEngine(address, 'waypost-origin'), (each) => each.close());
    const retention = { bytes: 10_000_000, hours: 1 };
    await prepareStreams(engine, subjects, { fleet: 'a fleet', retention, takeOver: false });
    const seal = fleetSeal(Buffer.alloc(32, 1));
    await engine.streams.publish(subjects.limits.ready, seal.seal('ready', subjects.limits.ready));

    const noted: [number, number][] = [];
    const limits = fleetLimits({
      session: () => ({ engine, seal, subjects }),
      noteUsed: ({ id }, used) => noted.push([id, used]),
      log: { warn: (problem: unknown) => expect.fail(JSON.stringify(problem)) },
    });
    const link = { kind: 'link', id: 7, createdAt: 1, limit: 3 } as const;
    expect(await limits.useUp(link)).toBe('taken');
    expect(noted).toEqual([[7, 1]]);
    const rest = await Promise.all([1, 2, 3, 4].map(() => limits.useUp(link)));
    expect(rest.toSorted()).toEqual(['exhausted', 'exhausted', 'taken', 'taken']);
    expect(noted.at(-1)).toEqual([7, 3]);
  },
);
