import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addCampaign,
  assignCampaign,
  getCampaign,
  listCampaigns,
  orderCampaign,
  unassignCampaign,
} from '../../../server/contract/campaigns.ts';
import { addLink } from '../../../server/contract/links.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

let made = 0;
async function campaignOf(count: number) {
  made += 1;
  const body = { name: `Ordered ${made}`, public: true };
  const { id, data } = await server.call(addCampaign, { body });
  const links: number[] = [];
  for (let index = 1; index <= count; index += 1) links.push(await member(id, `Link ${index}`));
  return { id, slug: data?.slug as string, links };
}

async function member(id: number, title: string): Promise<number> {
  server.clock.advance(1000);
  const link = await server.call(addLink, {
    body: { url: `https://example.com/${made}/${title.replace(' ', '')}`, title },
  });
  await server.call(assignCampaign, { params: { campaignid: id, linkid: link.id } });
  return link.id;
}

const put = (id: number, links: unknown) =>
  server.request('PUT', `/api/campaign/${id}/order`, { body: { links } });
const order = (id: number, links: number[]) =>
  server.call(orderCampaign, { params: { id }, body: { links } });
async function titles(id: number, query: { order?: 'own' } = { order: 'own' }) {
  const { data } = await server.call(getCampaign, { params: { id }, query });
  return data.links.map(({ title }) => title);
}

describe("the order of a campaign's links", () => {
  test('is newest first by default', async () => {
    const { id } = await campaignOf(3);
    expect(await titles(id)).toEqual(['Link 3', 'Link 2', 'Link 1']);
  });

  test('applies to the list page and the rotator', async () => {
    const { id, slug, links } = await campaignOf(3);
    const [one, two, three] = links as [number, number, number];
    await order(id, [two, three, one]);
    expect(await titles(id)).toEqual(['Link 2', 'Link 3', 'Link 1']);
    const page = await visit(server, `/u/anna/list-${id}`);
    expect(page.body.match(/Link \d/g)).toEqual(['Link 2', 'Link 3', 'Link 1']);
    const turns: (string | undefined)[] = [];
    for (let turn = 0; turn < 3; turn += 1) turns.push((await visit(server, `/r/${slug}`)).location?.at(-1));
    expect(turns).toEqual(['2', '3', '1']);
  });

  test("does not change the campaign's published order", async () => {
    const { id, links } = await campaignOf(2);
    expect(await titles(id, {})).toEqual(['Link 2', 'Link 1']);
    await order(id, links);
    expect(await titles(id, {})).toEqual(['Link 2', 'Link 1']);
  });

  test('puts unlisted links after listed ones, and new ones at the end', async () => {
    const { id, links } = await campaignOf(3);
    await order(id, [links[0] as number]);
    expect(await titles(id)).toEqual(['Link 1', 'Link 3', 'Link 2']);
    await member(id, 'Late');
    expect(await titles(id)).toEqual(['Link 1', 'Link 3', 'Link 2', 'Late']);
  });

  test('forgets the position of a link that leaves', async () => {
    const { id, links } = await campaignOf(3);
    await order(id, links);
    const params = { campaignid: id, linkid: links[0] as number };
    await server.call(unassignCampaign, { params });
    await server.call(assignCampaign, { params });
    expect(await titles(id)).toEqual(['Link 2', 'Link 3', 'Link 1']);
  });

  test.each([
    ['a link of another campaign', async () => (await campaignOf(1)).links],
    ['a link twice', async (own: number[]) => [own[0], own[0]]],
    ['no link', async () => []],
    ['words', async () => ['one']],
  ])('refuses %s', async (_, wanted) => {
    const { id, links } = await campaignOf(2);
    const reply = await put(id, await wanted(links));
    expect([reply.status, String(reply.body.field).split('.')[0]]).toEqual([400, 'links']);
    expect(await titles(id)).toEqual(['Link 2', 'Link 1']);
  });

  test("is 404 for another account's campaign", async () => {
    const { id, links } = await campaignOf(1);
    const other = secondAccount(server);
    const reply = await other.request('PUT', `/api/campaign/${id}/order`, { body: { links } });
    expect(reply.status).toBe(404);
  });
});

test('clicks of the links are only included on request', async () => {
  const { id, slug } = await campaignOf(2);
  for (let turn = 0; turn < 3; turn += 1) await visit(server, `/r/${slug}`);
  await expect
    .poll(
      async () => (await server.call(getCampaign, { params: { id }, query: { figures: '1' } })).data.campaign,
    )
    .toMatchObject({ clicks: 3 });
  const { data } = await server.call(listCampaigns, { query: { figures: '1', limit: 100 } });
  expect(data.campaigns.find((campaign) => campaign.id === id)?.clicks).toBe(3);
  const plain = await server.call(getCampaign, { params: { id } });
  expect(plain.data.campaign).not.toHaveProperty('clicks');
});
