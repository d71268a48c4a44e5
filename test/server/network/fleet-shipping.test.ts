import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../server/platform/database/connect.ts';
import { fleetBench } from '../../support/fleet.ts';
import { hasNats, natsMissing } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

const calmly = { timeout: 20_000, interval: 250 };
/** Pages that may wait to be written back: from there on the thread for it gets to work. */
const worthIt = 1_000;
const visits = 1_500;

describe.skipIf(!hasNats)('the clicks of an edge', () => {
  const fleet = fleetBench();

  it('are checkpointed into its file in the background, also while the engine is away', {
    tags: 'long',
  }, async () => {
    const { edge, nats, server } = fleet;
    await server.request('POST', '/api/url/add', { body: { url: 'https://example.org/', custom: 'often' } });
    await expect.poll(async () => (await edge.visit('/often')).status, calmly).toBe(302);
    await nats.kill();
    for (let visit = 0; visit < visits; visit += 1) await edge.visit('/often');
    const replica = readFileSync(join(edge.folder, 'current'), 'utf8').trim();
    const connection = connect(join(edge.folder, replica, 'waypost.sqlite'), 'NORMAL');
    const state = connection.prepare<[], { log: number; checkpointed: number }>(
      'PRAGMA wal_checkpoint(NOOP)',
    );
    const waiting = () => {
      const { log = 0, checkpointed = 0 } = state.get() ?? {};
      return log - checkpointed;
    };
    try {
      await expect.poll(waiting, calmly).toBeLessThan(worthIt);
      expect(connection.prepare('SELECT count(*) FROM clicks').pluck().get()).toBeGreaterThanOrEqual(visits);
    } finally {
      connection.close();
      await nats.restart();
    }
  });
});
