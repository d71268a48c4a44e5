import { describe, expect, it } from 'vitest';
import { asFailure, connectEngine } from '../../../server/network/fleet/engine.ts';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { hasNats, natsUsers, startNats } from '../../support/nats.ts';

describe.skipIf(!hasNats)('a message that no stream of the engine accepts', () => {
  it('is reported as such, and not as an engine without JetStream', async () => {
    const nats = await startNats(engineUsers(natsUsers));
    const address = { url: nats.url, ...natsUsers };
    const engine = await connectEngine(address, 'waypost-origin');
    const published = engine.streams.publish('waypost.clicks.7', 'a click');
    const failure = await published.then(
      () => undefined,
      (error) => asFailure(error, address),
    );
    expect(failure).toMatchObject({ kind: 'unreachable', reason: 'failed' });
    expect(failure?.message).toContain('none of its servers takes messages');
    await engine.close();
    await nats.close();
  });
});
