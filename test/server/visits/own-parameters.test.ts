import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addLink } from '../../../server/contract/links.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ trustedProxies: ['127.0.0.1'], ratelimit: 10_000 });
});
afterAll(() => server.close());

const choose = (parameters: string[]) => server.request('PUT', '/api/parameters', { body: { parameters } });
const chosen = async () => (await server.request('GET', '/api/parameters')).body.data.parameters;
const statsOf = async (id: number, query = '') =>
  (await server.request('GET', `/api/url/${id}/stats?${query}`)).body.data;
const makeLink = (url = 'https://example.com/') => server.call(addLink, { body: { url } });
/** How many clicks the log has, and how many of them have something beside their words. */
const rows = () =>
  server.databases.main
    .prepare<[], { clicks: number; marks: number }>(
      'SELECT (SELECT count(*) FROM clicks) AS clicks, (SELECT count(*) FROM click_marks) AS marks',
    )
    .get();

let visitors = 0;
async function follow(shorturl: string, query: string): Promise<void> {
  visitors += 1;
  const path = new URL(shorturl).pathname;
  const headers = { 'X-Forwarded-For': `8.9.${visitors}.1` };
  expect((await visit(server, `${path}${query}`, { headers })).status).toBe(302);
}

describe('statistics', () => {
  test('count all five UTM values, of the visit or else of the destination', async () => {
    const { id, shorturl } = await makeLink('https://example.com/?utm_term=shoes&utm_content=banner');
    await follow(shorturl, '');
    await follow(shorturl, '?utm_term=boots&utm_source=mail');
    const { dimensions } = await statsOf(id);
    expect(dimensions.utm_term).toEqual([
      { value: 'shoes', clicks: 1, uniqueclicks: 1 },
      { value: 'boots', clicks: 1, uniqueclicks: 1 },
    ]);
    expect(dimensions.utm_content).toContainEqual({ value: 'banner', clicks: 1, uniqueclicks: 1 });
    const filtered = await statsOf(id, 'utm_term=boots');
    expect([filtered.clicks, filtered.dimensions.utm_source]).toEqual([
      1,
      [{ value: 'mail', clicks: 1, uniqueclicks: 1 }],
    ]);
  });

  test("count the account's custom parameters from when they were chosen, and filter by them", async () => {
    const { id, shorturl } = await makeLink();
    await follow(shorturl, '?ref=early');
    expect((await choose(['ref', 'place'])).status).toBe(200);
    await follow(shorturl, '?ref=poster&place=hall&other=x');
    await follow(shorturl, '?ref=poster');
    await follow(shorturl, '?ref=flyer');
    const { dimensions, parameters } = await statsOf(id);
    expect(parameters).toEqual([
      { name: 'ref', dimension: 'param1' },
      { name: 'place', dimension: 'param2' },
    ]);
    expect(dimensions.param1).toEqual([
      { value: 'poster', clicks: 2, uniqueclicks: 2 },
      { value: 'flyer', clicks: 1, uniqueclicks: 1 },
      { value: '', clicks: 1, uniqueclicks: 1 },
    ]);
    expect(dimensions.param3).toBeUndefined();
    expect((await statsOf(id, 'param1=poster')).clicks).toBe(2);
    expect((await statsOf(id, 'param1=poster&param2=hall')).clicks).toBe(1);
    expect((await statsOf(id, 'param1=poster&param1=flyer')).clicks).toBe(3);
    expect((await statsOf(id, 'param1=')).clicks).toBe(1);
    expect((await statsOf(id, 'param3=poster')).clicks).toBe(0);
    const overview = (await server.request('GET', '/api/stats?param1=flyer')).body.data;
    expect([overview.clicks, overview.parameters.length]).toEqual([1, 2]);
  });

  test('show nothing of a previous name in the same slot, and all of it again when it returns', async () => {
    await choose(['ref', 'place']);
    const { id, shorturl } = await makeLink();
    await follow(shorturl, '?ref=a&place=b');
    await choose(['place', 'source']);
    expect(await chosen()).toEqual([
      { name: 'source', dimension: 'param1' },
      { name: 'place', dimension: 'param2' },
    ]);
    await follow(shorturl, '?source=c');
    const values = async (name: string) =>
      ((await statsOf(id)).dimensions[name] as { value: string }[]).map(({ value }) => value).filter(Boolean);
    expect([await values('param1'), await values('param2')]).toEqual([['c'], ['b']]);
    await choose(['ref', 'place']);
    expect(await values('param1')).toEqual(['a']);
    await choose([]);
    expect((await statsOf(id)).parameters).toEqual([]);
  });

  test('take no more space for a click without such parameters', async () => {
    await choose(['ref']);
    const { shorturl } = await makeLink();
    const before = rows();
    await follow(shorturl, '?other=1');
    await follow(shorturl, '?utm_source=mail');
    await follow(shorturl, '?ref=x');
    const after = rows();
    expect((after?.clicks ?? 0) - (before?.clicks ?? 0)).toBe(3);
    expect((after?.marks ?? 0) - (before?.marks ?? 0)).toBe(1);
    const columns = server.databases.main.prepare('PRAGMA table_info (clicks)').all() as { name: string }[];
    expect(columns.map(({ name }) => name).filter((name) => /term|content|param/.test(name))).toEqual([]);
  });

  test('truncate long values, and limit new ones', async () => {
    await choose(['ref']);
    const { id, shorturl } = await makeLink();
    await follow(shorturl, `?ref=${'x'.repeat(3000)}`);
    for (let index = 0; index < 80; index += 1) await follow(shorturl, `?ref=flood${index}`);
    const { clicks, dimensions } = await statsOf(id);
    expect(clicks).toBe(81);
    expect(dimensions.param1.map(({ value }: { value: string }) => value)).toContain('x'.repeat(100));
    const words = server.databases.main
      .prepare(`SELECT count(*) AS total FROM words WHERE word LIKE 'ref=flood%'`)
      .get() as { total: number };
    expect(words.total).toBeLessThan(70);
  });
});

test('an export has all five UTM values, and custom parameters as a query', async () => {
  await choose(['ref', 'place']);
  const { id, shorturl } = await makeLink();
  await follow(shorturl, '?utm_term=t&utm_content=c&ref=a%26b&place=x');
  await follow(shorturl, '');
  const { body: text } = await server.request('GET', `/api/url/${id}/clicks/export?format=jsonl`);
  const [first, second] = text
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line));
  expect(first).toMatchObject({ utm_term: 't', utm_content: 'c', parameters: 'ref=a%26b&place=x' });
  expect(second).toMatchObject({ utm_term: '', utm_content: '', parameters: '' });
});

test('nothing of them is recorded if only clicks are counted', async () => {
  await choose(['ref']);
  await server.request('PUT', '/api/privacy', { body: { keep: 'counts' } });
  const { id, shorturl } = await makeLink('https://example.com/?utm_term=secret');
  const before = rows();
  await follow(shorturl, '?ref=secret&utm_content=secret');
  expect(rows()?.marks).toBe(before?.marks);
  expect(JSON.stringify(await statsOf(id))).not.toContain('secret');
  await server.request('PUT', '/api/privacy', { body: { keep: 'clicks' } });
});

test('they belong to one account: another one counts its own', async () => {
  await choose(['ref']);
  const other = secondAccount(server, 'other');
  const link = await other.request('POST', '/api/url/add', { body: { url: 'https://example.com/' } });
  await follow(link.body.shorturl, '?ref=x');
  const stats = (await other.request('GET', `/api/url/${link.body.id}/stats`)).body.data;
  expect([stats.clicks, stats.parameters, stats.dimensions.param1]).toEqual([1, [], undefined]);
});

test('they are deleted with their click', async () => {
  await choose(['ref']);
  const { shorturl } = await makeLink();
  await follow(shorturl, '?ref=gone');
  const { main } = server.databases;
  const last = main.prepare('SELECT max(click_id) FROM click_marks').pluck().get();
  main.prepare('DELETE FROM clicks WHERE id = ?').run(last);
  expect(main.prepare('SELECT count(*) FROM click_marks WHERE click_id = ?').pluck().get(last)).toBe(0);
});

test.each([
  [['a', 'a'], 'parameters.1', /twice/],
  [['utm_term'], 'parameters.0', /already/],
  [['notrack'], 'parameters.0', /already/],
  [['a b'], 'parameters.0', /letters, digits/],
  [['a', 'b', 'c', 'd', 'e', 'f'], 'parameters', /at most 5/],
])('%j cannot be chosen', async (names, field, message) => {
  await choose(['kept']);
  const { status, body } = await choose(names);
  expect([status, body.field]).toEqual([400, field]);
  expect(body.message).toMatch(message);
  expect(await chosen()).toEqual([{ name: 'kept', dimension: 'param1' }]);
});
