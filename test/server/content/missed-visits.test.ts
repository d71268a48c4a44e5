import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, type SecondAccount, secondAccount } from '../../support/second-account.ts';
import { newTeam } from '../../support/team.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
let bert: SecondAccount;
beforeEach(async () => {
  server = await startApp({ ratelimit: 100_000 });
  bert = secondAccount(server);
  addDomain(server, 'go.bert.example', bert.id);
});
afterEach(() => server.close());

interface Listed {
  path: string;
  domain: string | null;
  kind: string;
  alias: string | null;
  taken: boolean;
  visits: number;
  bots: number;
}
const rowsOf = (rows: Listed[]) => rows.map(({ domain, path, kind, visits }) => [domain, path, kind, visits]);

/** What is listed for somebody, the administrator unless told otherwise. */
async function listed(
  query = '',
  as: {
    request: (
      method: string,
      path: string,
    ) => Promise<{ body: { data?: { visits: Listed[]; result: number } } }>;
  } = server,
) {
  const { data } = (await as.request('GET', `/api/visits/orphans?${query}`)).body;
  return data ?? { visits: [], result: -1 };
}
/** Waits until so many visits are written: they are recorded after their answer. */
const recorded = (count: number) =>
  expect
    .poll(() => server.databases.clicks.prepare('SELECT count(*) FROM orphan_visits').pluck().get())
    .toBe(count);
const onDomain = { headers: { Host: 'go.bert.example' } };

test('lists unknown paths that were requested, each once, with the number of requests', async () => {
  await visit(server, '/summer', { headers: { Referer: 'https://news.example/article' } });
  await visit(server, '/summer');
  await visit(server, '/summer', { agent: 'previewBot' });
  await visit(server, '/');
  await visit(server, '/.env');
  await visit(server, '/blog/wp-login.php?x=1');
  await visit(server, '/spring', { agent: 'previewBot' });
  await recorded(7);
  const all = await listed();
  expect(rowsOf(all.visits).sort()).toEqual(
    [
      [null, '/', 'bare', 1],
      [null, '/.env', 'probe', 1],
      [null, '/blog/wp-login.php', 'probe', 1],
      [null, '/spring', 'probe', 1],
      [null, '/summer', 'unknown', 3],
    ].sort(),
  );
  expect(all.visits[0]).toMatchObject({ path: '/summer', alias: 'summer', bots: 1, taken: false });
  expect(rowsOf((await listed('kind=bare')).visits)).toEqual([[null, '/', 'bare', 1]]);
  const singles = await listed('group=none&path=/summer&limit=2');
  expect(singles.result).toBe(3);
  expect(singles.visits.map(({ visits }) => visits)).toEqual([1, 1]);
  expect((await listed('group=none&path=/summer&limit=2&page=2')).visits).toMatchObject([
    { referrer: 'news.example/article', alias: 'summer' },
  ]);
  expect((await listed('kind=bare')).visits[0]?.alias).toBeNull();
});

test('a link created with that alias works from then on, and is shown as existing', async () => {
  await visit(server, '/summer');
  await recorded(1);
  const [row] = (await listed()).visits;
  await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', custom: row?.alias } });
  expect((await visit(server, '/summer')).location).toBe('https://example.com/');
  expect((await listed()).visits).toMatchObject([{ path: '/summer', taken: true, visits: 1 }]);
});

test("a range of days includes both days, in the account's time zone", async () => {
  server.clock.advance(11.5 * 3_600_000);
  await visit(server, '/late');
  server.clock.advance(3_600_000);
  await visit(server, '/early');
  await recorded(2);
  const paths = async (query: string) => (await listed(query)).visits.map(({ path }) => path).sort();
  expect(await paths('from=2027-01-15&to=2027-01-15')).toEqual(['/late']);
  expect(await paths('from=2027-01-15&to=2027-01-16')).toEqual(['/early', '/late']);
  expect(await paths('from=2027-01-16')).toEqual(['/early']);
  expect((await server.request('GET', '/api/visits/orphans?from=2027-01-16&to=2027-01-15')).status).toBe(400);
  await server.request('PUT', '/api/account/update', { body: { timezone: 'America/New_York' } });
  expect(await paths('to=2027-01-15')).toEqual(['/early', '/late']);
});

test('owners see requests to their domains, and administrators those to the instance', async () => {
  addDomain(server, 'go.platform.example', null);
  await visit(server, '/mine');
  await visit(server, '/berts', onDomain);
  await visit(server, '/shared', { headers: { Host: 'go.platform.example' } });
  await recorded(3);
  expect(rowsOf((await listed('', bert)).visits)).toEqual([
    ['https://go.bert.example', '/berts', 'unknown', 1],
  ]);
  expect((await listed('domain=own', bert)).visits).toEqual([]);
  expect((await listed('domain=go.platform.example', bert)).visits).toEqual([]);
  expect((await listed()).visits.map(({ path }) => path).sort()).toEqual(['/mine', '/shared']);
});

test("in a team they are those of its domains, limited to one's own if the role is, and managers delete them", async () => {
  const team = await newTeam(server);
  const nina = await team.join('nina', 'contributor', true);
  const vera = await team.join('vera', 'viewer');
  addDomain(server, 'go.team.example', team.id);
  await visit(server, '/ours', { headers: { Host: 'go.team.example' } });
  await visit(server, '/berts', onDomain);
  await recorded(2);
  const paths = async (person: typeof nina) =>
    ((await person.inTeam('GET', '/api/visits/orphans')).body.data.visits as Listed[]).map(
      ({ path }) => path,
    );
  expect(await paths(team.owner)).toEqual(['/ours']);
  expect(await paths(vera)).toEqual(['/ours']);
  expect(await paths(nina)).toEqual([]);
  const remove = '/api/visits/orphans/delete';
  expect((await vera.inTeam('DELETE', remove)).body.code).toBe('role_too_low');
  expect((await team.owner.inTeam('DELETE', remove)).body.deleted).toBe(1);
  expect(await paths(vera)).toEqual([]);
  expect((await listed('', bert)).result).toBe(1);
});

test('deletes those that match a filter and nobody else’s, in slices', async () => {
  const insert = server.databases.clicks.prepare(
    "INSERT INTO orphan_visits (at, domain_id, path, referrer, bot) VALUES (0, 0, ?, '', 0)",
  );
  for (let count = 0; count < 600; count += 1) insert.run(count % 2 === 0 ? '/even' : '/odd');
  await visit(server, '/berts', onDomain);
  await recorded(601);
  const remove = (query: string) => server.request('DELETE', `/api/visits/orphans/delete?${query}`);
  expect((await remove('path=/even')).body).toMatchObject({ deleted: 300 });
  expect(rowsOf((await listed()).visits)).toEqual([[null, '/odd', 'unknown', 300]]);
  expect((await remove('')).body).toMatchObject({ deleted: 300, message: '300 visits were deleted.' });
  expect((await listed()).result).toBe(0);
  expect((await listed('', bert)).result).toBe(1);
});
