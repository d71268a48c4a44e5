import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';

/*
 * Services of this interface hand some ids out as strings, so their clients send them so: `"pixels": ["1"]`
 * (decision 0002). Every id in a body may be digits.
 */
let server: TestApp;
let campaign: number;
let channel: number;
let pixel: number;
let link: number;
beforeAll(async () => {
  server = await startApp();
  campaign = (await post('/api/campaign/add', { name: 'Spring' })).id;
  channel = (await post('/api/channel/add', { name: 'Mail' })).id;
  pixel = (await post('/api/pixel/add', { type: 'bing', name: 'Ads', tag: '12345678' })).id;
  link = (await post('/api/url/add', { url: 'https://example.com/first' })).id;
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const post = async (path: string, body: unknown) => {
  const reply = await server.request('POST', path, { body });
  expect(reply.body).toMatchObject({ error: 0 });
  return reply.body;
};
const put = async (path: string, body: unknown) => {
  const reply = await server.request('PUT', path, { body });
  expect(reply.body).toMatchObject({ error: 0 });
};
const detailsOf = async (id: number) => (await server.request('GET', `/api/url/${id}`)).body.details;

describe('an id in a body may be a string of digits', () => {
  test('on a link', async () => {
    const { id } = await post('/api/url/add', {
      url: 'https://example.com/',
      pixels: [`${pixel}`],
      channel: `${channel}`,
      campaign: `${campaign}`,
    });
    expect(await detailsOf(id)).toMatchObject({ pixels: [pixel], channel: [channel], campaign });
    await put(`/api/url/${id}/update`, { pixels: [], channel: [`${channel}`], campaign: null });
    expect(await detailsOf(id)).toMatchObject({ pixels: [], channel: [channel], campaign: null });
  });

  test('in a bulk action: ids, filter and value', async () => {
    const bulk = (body: unknown) => post('/api/urls/bulk', body);
    await bulk({ ids: [`${link}`], action: 'campaign', value: `${campaign}` });
    await bulk({ filter: { campaign: `${campaign}` }, action: 'channel_add', value: `${channel}` });
    expect(await detailsOf(link)).toMatchObject({ campaign, channel: [channel] });
    await bulk({ filter: { channel: `${channel}` }, action: 'campaign', value: '0' });
    expect(await detailsOf(link)).toMatchObject({ campaign: null });
  });

  test("in the order of a campaign, a QR code, a bio page and an account's plan", async () => {
    await server.request('POST', `/api/campaign/${campaign}/assign/${link}`);
    await put(`/api/campaign/${campaign}/order`, { links: [`${link}`] });
    const qr = await post('/api/qr/add', { type: 'link', data: { link: `${link}` } });
    expect((await server.request('GET', `/api/qr/${qr.id}`)).body.data.data.link).toBe(link);
    await post('/api/qr/preview', { id: `${qr.id}`, modules: 'dots' });
    const bio = await post('/api/bio/add', { name: 'Me', blocks: [{ type: 'heading', text: 'Hello' }] });
    const { data } = (await server.request('GET', `/api/bio/${bio.id}`)).body;
    const block = { ...data.blocks[0], id: `${data.blocks[0].id}`, text: 'Hi' };
    await put(`/api/bio/${bio.id}/update`, { blocks: [block] });
    const changed = (await server.request('GET', `/api/bio/${bio.id}`)).body.data.blocks[0];
    expect([changed.id, changed.text]).toEqual([data.blocks[0].id, 'Hi']);
    const [{ id: plan }] = (await server.request('GET', '/api/plans')).body.data;
    const person = { username: 'ben', email: 'ben@example.com', password: 'correct horse' };
    const user = await post('/api/user/add', { ...person, planid: `${plan}` });
    expect((await server.request('GET', `/api/user/${user.data.id}`)).body.data.planid).toBe(plan);
    await put('/api/settings', { defaultPlan: `${plan}` });
    expect((await server.request('GET', '/api/settings')).body.data.defaultPlan).toBe(plan);
  });

  test.each(['0', '-1', '01', '1.0', '1e3', ' 1', '٣', '', 'abc', '9'.repeat(16)])(
    'but %j is not an id',
    async (id) => {
      const body = { url: 'https://example.com/', pixels: [id] };
      const reply = await server.request('POST', '/api/url/add', { body });
      expect([reply.status, reply.body.field]).toEqual([400, 'pixels.0']);
    },
  );
});
