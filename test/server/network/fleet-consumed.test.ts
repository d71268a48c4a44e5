import { expect, test } from 'vitest';
import { connectEngine, type Engine } from '../../../server/network/fleet/engine.ts';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { fleetLimits, writeCount } from '../../../server/network/fleet/limits.ts';
import { fleetSeal } from '../../../server/network/fleet/seal.ts';
import { prepareStreams } from '../../../server/network/fleet/streams.ts';
import { fleetSubjects as subjects } from '../../../server/network/fleet/subjects.ts';
import { hasNats, natsMissing, natsUsers, startNats } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

const seal = fleetSeal(Buffer.alloc(32, 1));
const link = { kind: 'link', id: 7, createdAt: 1, limit: 3 } as const;
const log = { warn: (problem: unknown) => expect.fail(JSON.stringify(problem)) };

/** Has machines count limits in an engine, as the origin does; returns what the time is called in which they do. */
async function open(engine: Engine): Promise<string> {
  const retention = { bytes: 10_000_000, hours: 1 };
  await prepareStreams(engine, subjects, { fleet: 'a fleet', retention, takeOver: false });
  const { config } = await engine.manager.streams.info(subjects.limits.stream);
  const counting = subjects.limits.countingOf(config.subjects) ?? '';
  const ready = seal.seal(JSON.stringify({ counting }), subjects.limits.ready);
  await engine.streams.publish(subjects.limits.ready, ready);
  return counting;
}

async function startEngine(stack: AsyncDisposableStack): Promise<Engine> {
  const nats = stack.adopt(await startNats(engineUsers(natsUsers)), (each) => each.close());
  const address = { url: nats.url, ...natsUsers };
  return stack.adopt(await connectEngine(address, 'waypost-origin'), (each) => each.close());
}

test.skipIf(!hasNats)(
  'what a machine used up is recorded with the response, not when the engine reports it',
  async () => {
    await using stack = new AsyncDisposableStack();
    const engine = await startEngine(stack);
    await open(engine);
    const noted: [number, number][] = [];
    const limits = fleetLimits({
      session: () => ({ engine, seal, subjects }),
      noteUsed: ({ id }, used) => noted.push([id, used]),
      log,
    });
    expect(await limits.consume(link)).toBe('allowed');
    expect(noted).toEqual([[7, 1]]);
    const sent = engine.connection.stats().outMsgs;
    expect(await limits.consume(link)).toBe('allowed');
    // A click of a link that is known asks the engine once.
    expect(engine.connection.stats().outMsgs - sent).toBe(1);
    const rest = await Promise.all([1, 2, 3].map(() => limits.consume(link)));
    expect(rest.toSorted()).toEqual(['allowed', 'exhausted', 'exhausted']);
    expect(noted.at(-1)).toEqual([7, 3]);
  },
);

test.skipIf(!hasNats)("a machine's knowledge is not continued in a recreated stream", async () => {
  await using stack = new AsyncDisposableStack();
  const engine = await startEngine(stack);
  const session = { engine, seal, subjects };
  const before = await open(engine);
  const limits = fleetLimits({ session: () => session, log });
  expect(await limits.consume(link)).toBe('allowed');
  const { stream } = subjects.limits;
  const seen = await engine.manager.streams.getMessage(stream, {
    last_by_subj: subjects.limits.of(before, link),
  });

  await engine.manager.streams.delete(stream);
  const after = await open(engine);
  // The count is another one, and its message has the number that the machine saw.
  const subject = subjects.limits.of(after, link);
  expect(await writeCount(session, subject, { used: 2, sequence: 0 })).toBe(seen?.seq);
  const verdicts = [await limits.consume(link), await limits.consume(link)];
  expect(verdicts).toEqual(['allowed', 'exhausted']);
});
