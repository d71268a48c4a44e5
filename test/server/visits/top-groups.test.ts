import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { newTeam } from '../../support/team.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
const ids: Record<string, number> = {};
const get = async (path: string) => (await server.request('GET', path)).body.data;
const add = async (path: string, body: object): Promise<number> =>
  (await server.request('POST', `/api/${path}/add`, { body })).body.id;
const namesOf = (rows: { name: string; clicks: number }[]) =>
  rows.map(({ name, clicks }) => `${name} ${clicks}`);
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
  addDomain(server, 'go.example.com', 1);
  ids.fair = await add('campaign', { name: 'Fair' });
  ids.mailing = await add('campaign', { name: 'Mailing' });
  ids.print = await add('channel', { name: 'Print', color: '#336699' });
  ids.web = await add('channel', { name: 'Web' });
  const link = (custom: string, body: object) =>
    add('url', { url: `https://example.com/${custom}`, custom, ...body });
  ids.a = await link('a', { campaign: ids.fair, channel: [ids.print, ids.web] });
  ids.b = await link('b', { campaign: ids.fair, channel: [ids.print] });
  ids.c = await link('c', { campaign: ids.mailing, domain: 'go.example.com' });
  await link('d', {});
  for (const [path, times] of [
    ['/a', 2],
    ['/b', 1],
    ['/d', 5],
  ] as const) {
    for (let count = 0; count < times; count += 1) await visit(server, path);
  }
  for (let count = 0; count < 4; count += 1)
    await visit(server, '/c', { headers: { Host: 'go.example.com' } });
  await visit(server, '/c', { headers: { Host: 'go.example.com' }, agent: 'previewBot' });
});
afterAll(() => server.close());

test('groups are sorted by their links’ clicks, with their sums', async () => {
  const { campaigns, channels, domains } = await get('/api/stats/top?period=7d');
  expect(namesOf(campaigns)).toEqual(['Mailing 4', 'Fair 3']);
  expect(campaigns[1]).toEqual({ id: ids.fair, name: 'Fair', clicks: 3, uniqueclicks: 2 });
  expect(namesOf(channels)).toEqual(['Print 3', 'Web 2']);
  expect(channels[0].color).toBe('#336699');
  expect(domains).toEqual([
    { id: null, domain: `http://localhost:${server.port}`, clicks: 8, uniqueclicks: 3 },
    { id: expect.any(Number), domain: 'https://go.example.com', clicks: 4, uniqueclicks: 1 },
  ]);
});

test('a campaign has the same numbers as in its own statistics, with bots and in every period', async () => {
  for (const query of ['period=24h', 'period=30d&bots=1', 'period=all', 'from=2027-01-01&to=2027-01-31']) {
    const { campaigns } = await get(`/api/stats/top?${query}`);
    for (const { id, clicks } of campaigns)
      expect((await get(`/api/campaign/${id}/stats?${query}`)).clicks).toBe(clicks);
  }
  const { campaigns } = await get('/api/stats/top?bots=1');
  expect(namesOf(campaigns)).toEqual(['Mailing 5', 'Fair 3']);
  expect((await get('/api/stats/top?from=2026-01-01&to=2026-01-31')).campaigns).toEqual([]);
});

test('a link counts for its current group, and not in the trash', async () => {
  await server.request('POST', `/api/campaign/${ids.mailing}/assign/${ids.b}`);
  expect(namesOf((await get('/api/stats/top')).campaigns)).toEqual(['Mailing 5', 'Fair 2']);
  await server.request('DELETE', `/api/url/${ids.c}/delete`);
  expect(namesOf((await get('/api/stats/top')).campaigns)).toEqual(['Fair 2', 'Mailing 1']);
  await server.request('DELETE', `/api/campaign/${ids.fair}/delete`);
  expect(namesOf((await get('/api/stats/top')).campaigns)).toEqual(['Mailing 1']);
});

test('another account sees nothing of it, and a member who only sees their own sees no other group’s name', async () => {
  const bert = secondAccount(server);
  const empty = (await bert.request('GET', '/api/stats/top?period=all')).body.data;
  expect([empty.campaigns, empty.channels, empty.domains]).toEqual([[], [], []]);
  const team = await newTeam(server);
  const cora = await team.join('cora', 'contributor', true);
  const campaign = (await team.owner.inTeam('POST', '/api/campaign/add', { body: { name: 'Hidden' } })).body
    .id;
  const make = (person: typeof cora, custom: string) =>
    person.inTeam('POST', '/api/url/add', { body: { url: 'https://example.com/', custom } });
  const mine = (await make(cora, 'mine')).body.id;
  await make(team.owner, 'theirs');
  await team.owner.inTeam('POST', `/api/campaign/${campaign}/assign/${mine}`);
  for (const path of ['/mine', '/theirs', '/theirs']) await visit(server, path);
  const seen = (await cora.inTeam('GET', '/api/stats/top')).body.data;
  expect(seen.campaigns).toEqual([]);
  expect(seen.domains).toMatchObject([{ id: null, clicks: 1 }]);
  const all = (await team.owner.inTeam('GET', '/api/stats/top')).body.data;
  expect(namesOf(all.campaigns)).toEqual(['Hidden 1']);
  expect(all.domains).toMatchObject([{ id: null, clicks: 3 }]);
});

test('statistics of a campaign and a bio page say what is not recorded', async () => {
  const bio = await add('bio', { name: 'Anna' });
  await server.request('PUT', '/api/privacy', { body: { noReferrer: true, keep: 'counts' } });
  for (const path of [`/api/campaign/${ids.mailing}/stats`, `/api/bio/${bio}/stats`])
    expect((await get(path)).notkept).toEqual(['referrer', 'visitors']);
});
