import { describe, expect, it, onTestFinished } from 'vitest';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { dayMs } from '../../../server/visits/clicks/dimensions.ts';
import { retentionJob } from '../../../server/visits/clicks/retention-job.ts';
import { retentionQueries } from '../../../server/visits/clicks/retention-queries.ts';
import { removeFolders, startEdge, startOrigin } from '../../support/fleet.ts';
import { hasNats, natsMissing, natsUsers, startNats } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);

const calmly = { timeout: 20_000, interval: 250 };

describe.skipIf(!hasNats)('clicks that an edge sends 400 days late', { tags: 'long' }, () => {
  it('stay in the totals, and go one by one where clicks are kept for 30 days', async () => {
    const nats = await startNats(engineUsers(natsUsers));
    const server = await startOrigin(nats);
    const edge = await startEdge(server, { now: () => server.clock.now() - 400 * dayMs });
    onTestFinished(async () => {
      await edge.close();
      await server.close();
      await nats.close();
      removeFolders(edge);
    });
    const body = { url: 'https://example.org/', custom: 'late' };
    const { id } = (await server.request('POST', '/api/url/add', { body })).body;
    await expect.poll(async () => (await edge.visit('/late')).status, calmly).toBe(302);
    expect((await edge.visit('/late')).status).toBe(302);
    const total = async () => (await server.request('GET', `/api/url/${id}`)).body.data.clicks;
    const single = async () =>
      (await server.request('GET', `/api/url/${id}/clicks?from=2000-01-01`)).body.data?.clicks;
    await expect.poll(total, calmly).toBe(2);
    expect(await single()).toHaveLength(2);
    await retentionJob({
      queries: retentionQueries(server.databases.clicks),
      transactions: transactions(server.databases.clicks),
      retentionDays: () => 30,
      storesAddresses: () => false,
      accountAfter: () => undefined,
      clock: { isTrusted: () => true },
      now: server.clock.now,
    }).run(new AbortController().signal);
    expect(await single()).toEqual([]);
    expect(await total()).toBe(2);
  });
});
