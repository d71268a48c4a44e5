import { afterEach, beforeEach, expect, test } from 'vitest';
import { textOfCell } from '../../../server/contract/csv-cells.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, type SecondAccount, secondAccount } from '../../support/second-account.ts';
import { newTeam } from '../../support/team.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
let bert: SecondAccount;
beforeEach(async () => {
  server = await startApp({ ratelimit: 100_000 });
  bert = secondAccount(server);
});
afterEach(() => server.close());

type Person = Pick<SecondAccount, 'request'>;
async function addLink(custom: string, as: Person = server, body: object = {}): Promise<number> {
  const url = `https://${custom}.example.com/`;
  return (await as.request('POST', '/api/url/add', { body: { url, custom, ...body } })).body.id;
}

const lines = (body: string) =>
  body
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
/** The rows of a file none of whose cells has a line in it. */
const parseCsv = (text: string) =>
  text
    .trim()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|(\d*))/g)].map(
        ([, quoted, number]) => quoted?.replaceAll('""', '"') ?? number ?? '',
      ),
    );
/** A file of clicks as JSON lines, of the administrator unless told otherwise. */
async function exported(path: string, key = server.key) {
  const response = await fetch(`${server.origin}/api${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { response, body: await response.text() };
}
const jsonl = async (path: string, key?: string) => lines((await exported(path, key)).body);

test('has every field of each click, oldest first', async () => {
  const rules = [{ conditions: [{ type: 'os', op: 'is', value: 'iOS' }], link: 'https://ios.example.com/' }];
  const id = await addLink('spring', server, { rules, title: 'Spring' });
  await visit(server, '/spring?utm_source=mail&utm_medium=letter&utm_campaign=may', {
    agent: 'iphone',
    headers: { Referer: 'https://news.example/today', 'Accept-Language': 'fr-FR' },
  });
  server.clock.advance(1_000);
  await visit(server, '/spring');
  await visit(server, '/spring', { agent: 'previewBot' });
  const clicks = await jsonl(`/url/${id}/clicks/export?format=jsonl`);
  expect(clicks).toHaveLength(2);
  expect(clicks[0]).toEqual({
    id: 1,
    date: '2027-01-15 12:00:00',
    link: id,
    shorturl: `${server.origin}/spring`,
    title: 'Spring',
    source: 'link',
    rule: 0,
    country: '',
    region: '',
    city: '',
    referrer: 'news.example/today',
    browser: 'Safari',
    os: 'iOS',
    device: 'Mobile',
    language: 'fr',
    utm_source: 'mail',
    utm_medium: 'letter',
    utm_campaign: 'may',
    utm_term: '',
    utm_content: '',
    parameters: '',
    bot: false,
    address: null,
    edge: '',
  });
  expect(await jsonl(`/clicks/export?format=jsonl&bots=1`)).toHaveLength(3);
  const { response, body } = await exported(`/url/${id}/clicks/export`);
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="waypost-clicks-2027-01-15.csv"',
  );
  const [head, first, ...others] = parseCsv(body.slice(1));
  expect(Object.fromEntries((head ?? []).map((name, index) => [name, first?.[index]]))).toMatchObject({
    utm_campaign: 'may',
    rule: '0',
    bot: '0',
    date: '2027-01-15 12:00:00',
  });
  expect(others).toHaveLength(1);
});

test("contains the requested days, and nobody else's clicks", async () => {
  const id = await addLink('spring');
  await addLink('berts', bert);
  await visit(server, '/spring');
  await visit(server, '/berts');
  server.clock.advance(86_400_000);
  await visit(server, '/spring');
  const days = async (query: string) =>
    (await jsonl(`/clicks/export?format=jsonl&${query}`)).map(({ date }) => date.slice(0, 10));
  expect(await days('')).toEqual(['2027-01-15', '2027-01-16']);
  expect(await days('to=2027-01-15')).toEqual(['2027-01-15']);
  expect(await days('from=2027-01-16&to=2027-01-16')).toEqual(['2027-01-16']);
  expect(await days('period=24h')).toEqual(['2027-01-16']);
  expect((await jsonl('/clicks/export?format=jsonl', bert.key)).map(({ shorturl }) => shorturl)).toEqual([
    `${server.origin}/berts`,
  ]);
  expect((await exported(`/url/${id}/clicks/export`, bert.key)).response.status).toBe(404);
});

test('follows the filters of the statistics, and contains as many clicks', async () => {
  const id = await addLink('spring');
  await addLink('winter');
  for (const [path, agent, language] of [
    ['/spring?utm_source=mail', 'iphone', 'fr-FR'],
    ['/spring', 'iphone', 'de-DE'],
    ['/spring', undefined, 'fr-FR'],
    ['/winter', 'iphone', 'fr-FR'],
  ] as const)
    await visit(server, path, { ...(agent && { agent }), headers: { 'Accept-Language': language } });
  const filters = [
    'os=iOS',
    'os=iOS&language=fr',
    'os=iOS&os=Windows&language=fr',
    'utm_source=',
    'source=link',
    'source=qr',
    'os=BeOS',
  ];
  for (const filter of filters) {
    for (const path of ['', `/url/${id}`]) {
      const { clicks } = (await server.request('GET', `/api${path}/stats?period=all&${filter}`)).body.data;
      const file = await jsonl(`${path}/clicks/export?format=jsonl&${filter}`);
      expect([filter, path, file.length]).toEqual([filter, path, clicks]);
    }
  }
  expect((await jsonl(`/url/${id}/clicks/export?format=jsonl&os=iOS&language=fr`))[0]).toMatchObject({
    shorturl: `${server.origin}/spring`,
    utm_source: 'mail',
  });
});

test('can be limited to the links of a campaign, a channel or a domain', async () => {
  const campaign = (await server.request('POST', '/api/campaign/add', { body: { name: 'May' } })).body.id;
  const channel = (await server.request('POST', '/api/channel/add', { body: { name: 'Press' } })).body.id;
  addDomain(server, 'go.example.com', 1);
  await addLink('both', server, { campaign, channel });
  await addLink('press', server, { channel });
  await addLink('branded', server, { domain: 'go.example.com' });
  for (const path of ['/both', '/press']) await visit(server, path);
  await visit(server, '/branded', { headers: { Host: 'go.example.com' } });
  const aliases = async (query: string) =>
    (await jsonl(`/clicks/export?format=jsonl&${query}`)).map(({ shorturl }) => shorturl.split('/').at(-1));
  expect(await aliases(`campaign=${campaign}`)).toEqual(['both']);
  expect(await aliases(`channel=${channel}`)).toEqual(['both', 'press']);
  expect(await aliases('domain=go.example.com')).toEqual(['branded']);
  expect(await aliases(`domain=${new URL(server.origin).host}&channel=${channel}`)).toEqual([
    'both',
    'press',
  ]);
  expect((await exported('/clicks/export?domain=elsewhere.example.com')).response.status).toBe(400);
});

test('in a team is for people who edit the links: editors, and contributors for their own', async () => {
  const team = await newTeam(server);
  const nina = await team.join('nina', 'contributor', true);
  const victor = await team.join('victor', 'viewer');
  const edith = await team.join('edith', 'editor');
  const links: Record<string, number> = {};
  for (const [person, custom] of [
    [team.owner, 'hidden'],
    [nina, 'seen'],
  ] as const) {
    const { body } = await person.inTeam('POST', '/api/url/add', {
      body: { url: 'https://example.com/', custom },
    });
    links[custom] = body.id;
    await visit(server, `/${custom}`);
  }
  const file = (person: typeof nina, path: string) =>
    person.inTeam('GET', `/api${path}clicks/export?format=jsonl&inline=1`);
  const clicksIn = async (person: typeof nina, path: string) =>
    lines((await file(person, path)).body.data.content).map(({ shorturl }) => shorturl);
  const seen = `${server.origin}/seen`;
  for (const person of [edith, team.owner]) expect(await clicksIn(person, '/')).toHaveLength(2);
  expect(await clicksIn(nina, `/url/${links.seen}/`)).toEqual([seen]);
  expect((await file(nina, `/url/${links.hidden}/`)).status).toBe(404);
  for (const [person, path] of [
    [nina, '/'],
    [victor, '/'],
    [victor, `/url/${links.seen}/`],
  ] as const) {
    const { status, body } = await file(person, path);
    expect([status, body.code]).toEqual([403, 'role_too_low']);
  }
  // What is in the file, they see on the page.
  expect((await victor.inTeam('GET', '/api/clicks')).body.data.clicks).toHaveLength(2);
});

test('is split into parts of limited length, without gaps or duplicates', async () => {
  const id = await addLink('spring');
  await addLink('berts', bert);
  server.databases.clicks.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
    INSERT INTO clicks (link_id, at, visitor, source, bot, country, region, city, referrer, referrer_path, browser,
      os, device, language, utm_source, utm_medium, utm_campaign)
    SELECT ${id} + i % 2, 1700000000000 + i, i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM n`);
  await server.request('GET', '/api/stats');
  for (const path of ['/clicks/export', `/url/${id}/clicks/export`]) {
    const ids: number[] = [];
    let after = '';
    let parts = 0;
    for (let next: number | null = 0; next !== null; parts += 1) {
      const { body } = await server.request('GET', `/api${path}?format=jsonl&inline=1${after}`);
      const found = lines(body.data.content);
      expect(found.length).toBeLessThan(14_000);
      ids.push(...found.map((click) => click.id));
      next = body.data.next;
      after = `&after=${next}`;
    }
    expect(parts).toBeGreaterThan(1);
    const every = Array.from({ length: 12_500 }, (_, index) => 2 * (index + 1));
    expect(ids).toEqual(every);
    expect((await jsonl(`${path}?format=jsonl`)).map((click) => click.id)).toEqual(every);
  }
});

test('has no cell that a spreadsheet evaluates as a formula', async () => {
  // T-26: whoever follows a link writes its campaign marks, and the owner of the link opens the file.
  const formula = '=HYPERLINK("https://evil.example","x")';
  const id = await addLink('spring', server, { title: '@SUM(1)' });
  await visit(server, `/spring?utm_source=${encodeURIComponent(formula)}`);
  const [, row = []] = parseCsv((await exported(`/url/${id}/clicks/export`)).body.slice(1));
  expect(row).toContain(`'${formula}`);
  expect(row).toContain("'@SUM(1)");
  expect(row.map(textOfCell)).toContain(formula);
});

test('ends with the key that requested it', async () => {
  const id = await addLink('spring');
  server.databases.clicks.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
    INSERT INTO clicks (link_id, at, visitor, source, bot, country, region, city, referrer, referrer_path, browser,
      os, device, language, utm_source, utm_medium, utm_campaign)
    SELECT ${id}, 1700000000000 + i, i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM n`);
  const added = await server.request('POST', '/api/key/add', {
    body: { name: 'Export', scopes: ['stats:read', 'links:read'] },
  });
  const { id: keyId, api_key } = added.body.data;
  const response = await fetch(`${server.origin}/api/clicks/export`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  const reader = response.body?.getReader();
  await reader?.read();
  await server.request('DELETE', `/api/key/${keyId}/delete`);
  const readOn = async () => {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read());
  };
  await expect(readOn()).rejects.toThrow();
});

test('is unavailable on a plan without exports, and for a key without statistics', async () => {
  const id = await addLink('spring');
  const key = (
    await server.request('POST', '/api/key/add', { body: { name: 'Links', scopes: ['links:read'] } })
  ).body.data;
  expect((await exported(`/url/${id}/clicks/export`, key.api_key)).response.status).toBe(403);
  const carl = secondAccount(server, 'carl', 1);
  expect((await carl.request('GET', '/api/clicks/export')).body.code).toBe('plan_required');
});
