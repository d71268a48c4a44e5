import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addCampaign,
  assignCampaign,
  deleteCampaign,
  getCampaign,
  orderCampaign,
  restoreCampaign,
  updateCampaign,
} from '../../../server/contract/campaigns.ts';
import {
  addChannel,
  assignChannel,
  deleteChannel,
  getChannel,
  listChannels,
  restoreChannel,
} from '../../../server/contract/channels.ts';
import { addLink, deleteLink, getLink, updateLink } from '../../../server/contract/links.ts';
import { addPixel, deletePixel, getPixel, restorePixel } from '../../../server/contract/pixels.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, type SecondAccount, secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
let other: SecondAccount;
beforeAll(async () => {
  server = await startApp();
  other = secondAccount(server);
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const newLink = async (fields: object = {}) =>
  (await server.call(addLink, { body: { url: 'https://example.com/', ...fields } })).id;
const thirtyDays = 30 * 86_400_000;

describe('a deleted campaign', () => {
  async function deleted(name: string, fields: object = {}) {
    const { id, data } = await server.call(addCampaign, { body: { name, ...fields } });
    const links = [await newLink(), await newLink()];
    for (const linkid of links) {
      await server.call(assignCampaign, { params: { campaignid: id, linkid }, body: { weight: 7 } });
    }
    await server.call(orderCampaign, { params: { id }, body: { links } });
    await visit(server, `/r/${data?.slug}`);
    await server.call(deleteCampaign, { params: { id } });
    return { id, links, slug: data?.slug as string };
  }

  test('is restored with its id, addresses, views, links, weights and order', async () => {
    const { id, links, slug } = await deleted('Back again', { public: true });
    expect((await visit(server, `/r/${slug}`)).status).toBe(404);
    const reply = await server.call(restoreCampaign, { params: { id } });
    expect(reply).toMatchObject({ id, campaign: 'Back again', public: true, data: { slug, views: 1 } });
    const { data } = await server.call(getCampaign, { params: { id }, query: { order: 'own' } });
    expect(data.links.map((link) => [link.id, link.weight])).toEqual(links.map((link) => [link, 7]));
    expect((await visit(server, `/r/${slug}`)).status).toBe(302);
  });

  test('leaves links that are in another campaign by now where they are', async () => {
    const { id, links } = await deleted('First home');
    const elsewhere = await server.call(addCampaign, { body: { name: 'Second home' } });
    const moved = links[0] as number;
    await server.call(assignCampaign, { params: { campaignid: elsewhere.id, linkid: moved } });
    await server.call(deleteLink, { params: { id: links[1] as number }, query: { force: '1' } });
    await server.call(restoreCampaign, { params: { id } });
    expect((await server.call(getCampaign, { params: { id } })).data.links).toEqual([]);
    expect((await server.call(getLink, { params: { id: moved } })).details.campaign).toBe(elsewhere.id);
  });

  test('is not restored while its name or slug is taken', async () => {
    const { id } = await deleted('Wanted', { slug: 'wanted-slug' });
    const path = `/api/campaign/${id}/restore`;
    const rival = await server.call(addCampaign, { body: { name: 'wanted' } });
    expect((await server.request('POST', path)).body).toMatchObject({ code: 'name_taken' });
    const body = { name: 'Out of the way', slug: 'wanted-slug' };
    await server.call(updateCampaign, { params: { id: rival.id }, body });
    expect((await server.request('POST', path)).body).toMatchObject({ code: 'slug_taken' });
    await server.call(updateCampaign, { params: { id: rival.id }, body: { slug: null } });
    expect((await server.request('POST', path)).status).toBe(200);
  });

  test('is restored without a domain that is gone', async () => {
    const domain = addDomain(server, 'bye.example.com', 1);
    const { id } = await deleted('Lost domain', { domain });
    server.databases.main.prepare('DELETE FROM domains WHERE id = ?').run(domain);
    expect((await server.call(restoreCampaign, { params: { id } })).data?.domain).toBeNull();
  });

  test('cannot be restored by others, twice, or after 30 days', async () => {
    const { id } = await deleted('Once');
    const path = `/api/campaign/${id}/restore`;
    expect((await other.request('POST', path)).status).toBe(404);
    expect((await server.request('POST', path)).status).toBe(200);
    expect((await server.request('POST', path)).status).toBe(404);
    await server.call(deleteCampaign, { params: { id } });
    server.clock.advance(thirtyDays + 1);
    expect((await server.request('POST', path)).status).toBe(404);
  });
});

describe('a deleted channel', () => {
  test('is restored with its id, style and links', async () => {
    const look = { name: 'Newsletter', description: 'By mail', color: '#12AB34', starred: true };
    const { id } = await server.call(addChannel, { body: look });
    const link = await newLink();
    const params = { channelid: id, type: 'links', itemid: link };
    await server.call(assignChannel, { params });
    await server.call(deleteChannel, { params: { id } });
    expect((await server.call(getLink, { params: { id: link } })).details.channel).toEqual([]);
    expect(await server.call(restoreChannel, { params: { id } })).toEqual({ id, ...look });
    const { data } = await server.call(getChannel, { params: { id } });
    expect(data.items.map((item) => [item.type, item.id])).toEqual([['links', link]]);
  });

  test('is not restored while its name is taken', async () => {
    const { id } = await server.call(addChannel, { body: { name: 'Twice' } });
    await server.call(deleteChannel, { params: { id } });
    await server.call(addChannel, { body: { name: 'TWICE' } });
    const reply = await server.request('POST', `/api/channel/${id}/restore`);
    expect([reply.status, reply.body.code]).toEqual([400, 'name_taken']);
    expect((await other.request('POST', `/api/channel/${id}/restore`)).status).toBe(404);
  });
});

describe('a deleted pixel', () => {
  test('is restored with its id and on its links', async () => {
    const body = { type: 'bing' as const, name: 'Ads', tag: '12345678' };
    const { id } = await server.call(addPixel, { body });
    const link = await newLink({ pixels: [id] });
    const changed = await newLink({ pixels: [id] });
    await server.call(deletePixel, { params: { id } });
    await server.call(updateLink, { params: { id: changed }, body: { title: 'Changed meanwhile' } });
    await server.call(restorePixel, { params: { id } });
    expect((await server.call(getPixel, { params: { id } })).data).toMatchObject(body);
    for (const each of [link, changed]) {
      expect((await server.call(getLink, { params: { id: each } })).details.pixels).toEqual([id]);
    }
    expect((await other.request('POST', `/api/pixel/${id}/restore`)).status).toBe(404);
    expect((await server.request('POST', `/api/pixel/${id}/restore`)).status).toBe(404);
  });

  test('belongs to its account, even if another one had a record under its number', async () => {
    const { id } = await server.call(addPixel, { body: { type: 'bing', name: 'Mine', tag: '12345678' } });
    server.databases.main
      .prepare(
        `INSERT INTO removals (resource, record_id, user_id, content, removed_at, state)
         VALUES ('pixels', ?, ?, '{}', ?, 'trashed')`,
      )
      .run(id, other.id, server.clock.now());
    await server.call(deletePixel, { params: { id } });
    expect((await other.request('POST', `/api/pixel/${id}/restore`)).status).toBe(404);
    await server.call(restorePixel, { params: { id } });
    expect((await server.call(getPixel, { params: { id } })).data.name).toBe('Mine');
  });
});

test('channels include their newest items and counts of each type on request', async () => {
  const { id } = await server.call(addChannel, { body: { name: 'With items' } });
  for (const title of ['Old', 'Middle', 'New']) {
    server.clock.advance(1000);
    await newLink({ title, channel: id });
  }
  const { data } = await server.call(listChannels, { query: { items: 2, q: 'With items' } });
  expect(data.channels).toMatchObject([
    { count: 3, counts: { links: 3, bio: 0, qr: 0 }, items: [{ title: 'New' }, { title: 'Middle' }] },
  ]);
  const links = await server.call(getChannel, { params: { id }, query: { type: 'links' } });
  const codes = await server.call(getChannel, { params: { id }, query: { type: 'qr' } });
  expect([links.data.result, codes.data.result]).toEqual([3, 0]);
});
