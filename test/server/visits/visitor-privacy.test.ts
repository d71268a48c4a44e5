import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { retentionJob } from '../../../server/visits/clicks/retention-job.ts';
import { retentionQueries } from '../../../server/visits/clicks/retention-queries.ts';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeEach(async () => {
  server = await startApp({ trustedProxies: ['127.0.0.1', '::1'] });
});
afterEach(() => server.close());

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function addLink(body: object = {}): Promise<{ id: number; shorturl: string }> {
  const url = 'https://example.com/target';
  return (await server.request('POST', '/api/url/add', { body: { url, ...body } })).body;
}

const visit = (address: string, headers: Record<string, string> = {}) =>
  fetch(address, { redirect: 'manual', headers: { 'user-agent': agent, ...headers } });
const privacy = (change: object) => server.request('PUT', '/api/settings', { body: { privacy: change } });
const clicksOf = async (id: number) =>
  (await server.request('GET', `/api/url/${id}/clicks`)).body.data.clicks as { address: string | null }[];

describe('a visit that asks not to be tracked', () => {
  test.each([
    ['DNT', '1'],
    ['dnt', '1'],
    ['Sec-GPC', '1'],
    ['sec-gpc', '1'],
  ])('by %s: %s is answered and not recorded if the instance respects it', async (name, value) => {
    const { id, shorturl } = await addLink();
    await privacy({ doNotTrack: true });
    const response = await visit(shorturl, { [name]: value });
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://example.com/target']);
    await visit(shorturl);
    expect(await clicksOf(id)).toHaveLength(1);
  });

  test('is recorded like any other if the instance does not, which is the default', async () => {
    const { id, shorturl } = await addLink();
    await visit(shorturl, { dnt: '1', 'sec-gpc': '1' });
    expect(await clicksOf(id)).toHaveLength(1);
  });

  test('with any other value does not ask for it', async () => {
    const { id, shorturl } = await addLink();
    await privacy({ doNotTrack: true });
    await visit(shorturl, { dnt: '0', 'sec-gpc': '?1' });
    expect(await clicksOf(id)).toHaveLength(1);
  });

  test('still uses up a click of a limited link', async () => {
    const { id, shorturl } = await addLink({ clicklimit: 1 });
    await privacy({ doNotTrack: true });
    expect((await visit(shorturl, { dnt: '1' })).status).toBe(302);
    expect((await visit(shorturl)).status).toBe(410);
    expect(await clicksOf(id)).toHaveLength(0);
  });

  test('is not a view of a campaign', async () => {
    const campaign = (
      await server.request('POST', '/api/campaign/add', { body: { name: 'Spring', slug: 'spring' } })
    ).body;
    const { id } = await addLink({ campaign: campaign.id });
    await privacy({ doNotTrack: true });
    expect((await visit(campaign.data.rotator, { 'sec-gpc': '1' })).status).toBe(302);
    const { data } = (await server.request('GET', `/api/campaign/${campaign.id}`)).body;
    expect(data.campaign.views).toBe(0);
    expect(await clicksOf(id)).toHaveLength(0);
    await visit(campaign.data.rotator);
    const seen = (await server.request('GET', `/api/campaign/${campaign.id}`)).body.data;
    expect(seen.campaign.views).toBe(1);
  });

  test('is not recorded among unmatched visits', async () => {
    await privacy({ doNotTrack: true });
    const orphans = () =>
      server.databases.clicks.prepare('SELECT path FROM orphan_visits ORDER BY id').pluck().all();
    await visit(`${server.origin}/nothing-here`, { dnt: '1' });
    await visit(`${server.origin}/nothing-there`);
    await visit(`${server.origin}/last`);
    await expect.poll(orphans).toContain('/last');
    expect(orphans()).toEqual(['/nothing-there', '/last']);
  });
});

describe("a visitor's address", () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  test('is not stored by default', async () => {
    const { id, shorturl } = await addLink();
    await visit(shorturl, from('203.0.113.77'));
    expect((await clicksOf(id)).map(({ address }) => address)).toEqual([null]);
    const stored = server.databases.clicks.prepare('SELECT address FROM clicks').all();
    expect(stored).toEqual([{ address: null }]);
  });

  test('is stored with each click and shown to the owner if the instance says so', async () => {
    const { id, shorturl } = await addLink();
    await privacy({ storeAddresses: true });
    await visit(shorturl, from('203.0.113.77'));
    await visit(shorturl, from('2001:db8::1'));
    // Nine in one turn: the statement for eight and the one for one.
    await Promise.all(Array.from({ length: 9 }, () => visit(shorturl, from('::ffff:198.51.100.4'))));
    const addresses = (await clicksOf(id)).map(({ address }) => address);
    expect(addresses).toEqual([...Array(9).fill('198.51.100.4'), '2001:db8::1', '203.0.113.77']);
  });

  test('is removed from all clicks after the instance stops storing it', async () => {
    const { id, shorturl } = await addLink();
    await privacy({ storeAddresses: true });
    for (let count = 0; count < 3; count += 1) await visit(shorturl, from('203.0.113.77'));
    const job = retentionJob({
      queries: retentionQueries(server.databases.clicks),
      transactions: transactions(server.databases.clicks),
      retentionDays: () => null,
      storesAddresses: () => server.app.settings().privacy.storeAddresses,
      accountAfter: () => undefined,
      clock: { isTrusted: () => true },
      now: server.clock.now,
    });
    await job.run(new AbortController().signal);
    expect((await clicksOf(id)).map(({ address }) => address)).toEqual(Array(3).fill('203.0.113.77'));
    await privacy({ storeAddresses: false });
    await visit(shorturl, from('203.0.113.77'));
    await job.run(new AbortController().signal);
    expect((await clicksOf(id)).map(({ address }) => address)).toEqual(Array(4).fill(null));
  });
});
