import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectEngine } from '../../../server/network/fleet/engine.ts';
import { joinFleet } from '../../../server/network/fleet/join.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';
import { fleetBench, newToken, removeFolders, startEdge } from '../../support/fleet.ts';
import { hasNats, natsMissing, natsUsers } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

describe.skipIf(!hasNats)('an edge that joins', () => {
  const fleet = fleetBench();

  it('has its answer, and its token is not lost, while the engine keeps nothing', async () => {
    const { token } = await newToken(fleet.server, 'Rome');
    const engine = await connectEngine({ url: fleet.nats.url, ...natsUsers }, 'waypost-origin');
    // As while three engines choose who leads.
    await engine.manager.streams.delete(fleetSubjects.state.stream);
    await engine.close();
    const folder = mkdtempSync(join(tmpdir(), 'waypost-edge-'));
    const joined = await joinFleet({ folder, token, version: '1', now: fleet.server.clock.now() });
    expect(joined.name).toBe('Rome');
    // It comes back with everything once the origin has looked.
    fleet.server.clock.advance(61_000);
    const edge = await startEdge(fleet.server, { folder });
    await edge.close();
    removeFolders({ folder });
  });
});
