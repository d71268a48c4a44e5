import { describe, expect, it } from 'vitest';
import { fleetBench } from '../../support/fleet.ts';
import { hasNats, natsMissing } from '../../support/nats.ts';

if (!hasNats) console.warn(natsMissing);
const calmly = { timeout: 20_000, interval: 700 };

describe.skipIf(!hasNats)('statistics of a fleet', () => {
  const fleet = fleetBench();

  it('show which edge responded, but not to an account that records no places', async () => {
    const { server, edge } = fleet;
    const body = { url: 'https://example.org/', custom: 'told' };
    const { id } = (await server.request('POST', '/api/url/add', { body })).body;
    const statistics = async () => (await server.request('GET', `/api/url/${id}/stats`)).body.data;
    await expect.poll(async () => (await edge.visit('/told')).status, calmly).toBe(302);
    await expect
      .poll(statistics, calmly)
      .toMatchObject({ clicks: 1, dimensions: { edge: [{ value: 'Oslo' }] } });
    for (const [count, choice] of [{ noPlace: true }, { noPlace: false, keep: 'counts' }].entries()) {
      expect((await server.request('PUT', '/api/privacy', { body: choice })).status).toBe(200);
      expect((await edge.visit('/told')).status).toBe(302);
      await expect.poll(async () => (await statistics()).clicks, calmly).toBe(count + 2);
    }
    const { edge: edges } = (await statistics()).dimensions;
    expect(edges).toHaveLength(2);
    expect(edges).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ value: 'Oslo', clicks: 1 }),
        expect.objectContaining({ value: '', clicks: 2 }),
      ]),
    );
  });
});
