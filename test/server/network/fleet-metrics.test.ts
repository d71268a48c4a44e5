import { expect, test } from 'vitest';
import type { Engine } from '../../../server/network/fleet/engine.ts';
import { measureStreams } from '../../../server/network/fleet/streams.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';

test('the page of a fleet waits once for an engine that answers slowly, not once for each stream', async () => {
  const asked: string[] = [];
  const answers = Promise.withResolvers<void>();
  const info = async (name: string) => {
    asked.push(name);
    await answers.promise;
    return { state: { bytes: 10, messages: 1, first_ts: '2026-01-02T03:04:05Z' } };
  };
  // Of the engine, only what measuring asks for.
  const engine = { manager: { streams: { info } }, connection: {} } as unknown as Engine;
  const measured = measureStreams(engine, fleetSubjects);
  const askedAtOnce = [...asked];
  answers.resolve();
  const { streams, bytes, oldest } = await measured;
  expect(askedAtOnce).toHaveLength(streams);
  expect(new Set(askedAtOnce).size).toBe(streams);
  expect([bytes, oldest]).toEqual([streams * 10, Date.parse('2026-01-02T03:04:05Z')]);
});
