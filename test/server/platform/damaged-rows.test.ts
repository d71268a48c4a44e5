import { afterEach, beforeEach, expect, test } from 'vitest';
import { domainProofs } from '../../../server/network/domains/proof.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { some } from '../../support/trials.ts';
import { visit } from '../../support/visits.ts';

// A restored backup is proved to be whole, not to make sense: what somebody edited by hand must not shut everybody out.
let server: TestApp;
beforeEach(async () => {
  server = await startApp({ ratelimit: 100_000 });
});
afterEach(() => server.close());

const run = (sql: string) => server.databases.main.exec(sql);

test('an account whose plan is damaged signs in and creates links', async () => {
  run("UPDATE plans SET permissions = 'x', limits = '{', features = '[1'");
  expect((await server.request('GET', '/api/account')).status).toBe(200);
  const { body, status } = await server.request('POST', '/api/url/add', {
    body: { url: 'https://example.com/', custom: 'kept' },
  });
  expect([status, body.error]).toEqual([200, 0]);
  expect((await visit(server, '/kept')).location).toBe('https://example.com/');
});

test('a plan from before a feature does not have it', async () => {
  run("UPDATE plans SET features = json_remove(features, '$.bio')");
  const { status, body } = await server.request('POST', '/api/bio/add', { body: { name: 'Page' } });
  expect([status, body.error]).toEqual([403, 1]);
  const link = { url: 'https://example.com/', custom: 'older' };
  expect((await server.request('POST', '/api/url/add', { body: link })).status).toBe(200);
  expect((await visit(server, '/older')).location).toBe(link.url);
});

test('a key with damaged permissions has none', async () => {
  const { body } = await server.request('POST', '/api/key/add', {
    body: { name: 'Script', scopes: ['links:read'] },
  });
  const { api_key: key } = body.data;
  expect((await server.request('GET', '/api/urls', { key })).status).toBe(200);
  for (const scopes of ['[', '{"a":1}', '[7]']) {
    run(`UPDATE keys SET scopes = '${scopes}' WHERE name = 'Script'`);
    expect((await server.request('GET', '/api/urls', { key })).status).toBe(403);
    expect((await server.request('GET', '/api/keys')).status).toBe(200);
  }
});

test('times are shown in UTC where the time zone is unknown', async () => {
  await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', custom: 'timed' } });
  run("UPDATE users SET timezone = 'Middle-Earth/Shire'");
  const { body, status } = await server.request('GET', '/api/urls');
  expect(status).toBe(200);
  expect(body.data.urls[0].date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect((await server.request('GET', '/api/stats?period=7d')).status).toBe(200);
});

test('single sign-on with damaged settings is off', async () => {
  run("INSERT INTO settings (name, value) VALUES ('singleSignOn', '{')");
  const { body, status } = await server.request('GET', '/api/sso');
  expect(status).toBe(200);
  expect(body.data.enabled).toBe(false);
});

test('without a key for proofs of domains there is a new one', () => {
  run('DELETE FROM domain_proof_key');
  const make = () =>
    domainProofs({
      database: server.databases.main,
      resolver: { resolveTexts: async () => [] },
      fetcher: { probe: async () => undefined },
      isOwnHost: () => false,
    });
  const claim = { host: 'go.example.com', user_id: 1 };
  expect(make().taskOf(claim)).toEqual(make().taskOf(claim));
});

const damaged = some(['{', 'null', '[{"conditions":[null],"link":7}]', '5', '{"a":1}', '[null]', '[{}]'], {
  from: 0,
  short: 3,
});

test.each(damaged)(
  'a link whose lists are %s redirects, and is listed, exported and edited',
  async (json) => {
    const add = (custom: string) =>
      server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', custom } });
    const { id } = (await add('hurt')).body;
    await add('whole');
    const expected = { body: { name: 'Case', visitor: {}, expected: { link: 'https://example.com/' } } };
    await server.request('POST', `/api/url/${id}/case/add`, expected);
    server.databases.main
      .prepare(
        'UPDATE links SET rules = @json, abtesting = @json, parameters = @json, pixels = @json, deeplink = @json WHERE id = @id',
      )
      .run({ json, id });
    for (const path of ['/hurt', '/whole']) expect((await visit(server, path)).status).toBeLessThan(400);
    for (const path of ['/api/urls?traits=1', `/api/url/${id}`, '/api/cases', '/api/urls?pixel=1'])
      expect([path, (await server.request('GET', path)).status]).toEqual([path, 200]);
    expect(JSON.stringify((await server.request('GET', '/api/urls/export')).body)).toContain('whole');
    const edited = await server.request('PUT', `/api/url/${id}/update`, { body: { title: 'Again' } });
    expect(edited.status).toBe(200);
  },
);

test.each(damaged)('lists show the others where one record is %s', async (json) => {
  const make = (path: string, body: unknown) => server.request('POST', path, { body });
  const code = await make('/api/qr/add', { type: 'text', data: 'hello', name: 'Code' });
  await make('/api/webhook/add', { url: 'https://hooks.example/', events: ['*'] });
  const domain = addDomain(server, 'go.brand.example', 1);
  await make('/api/url/add', { url: 'https://example.com/', custom: 'tested' });
  const { id } = (await server.request('GET', '/api/urls')).body.data.urls[0];
  await make(`/api/url/${id}/case/add`, { name: 'Case', visitor: {}, expected: { status: 302 } });
  const { main } = server.databases;
  main.prepare('UPDATE qr_codes SET data = @json, style = @json').run({ json });
  main.prepare('UPDATE webhooks SET events = ?').run(json);
  main.prepare('UPDATE link_cases SET visitor = ?').run(json);
  main.prepare('UPDATE domains SET apps = ?').run(json);
  main
    .prepare("INSERT INTO domain_log (domain_id, at, event, message, details) VALUES (?, 0, 'added', '', ?)")
    .run(domain, json);
  main.prepare('UPDATE users SET address = @json, aliases = @json, parameters = @json').run({ json });
  const lists = [
    '/api/account',
    '/api/users',
    '/api/qr',
    '/api/webhooks',
    '/api/cases',
    '/api/domains',
    `/api/domain/${domain}/log`,
  ];
  for (const path of [...lists, `/api/qr/${code.body.id}`])
    expect([path, (await server.request('GET', path)).status]).toEqual([path, 200]);
});

test.each([9e15, -9e15])('lists show the others where a time is %s', async (at) => {
  const add = (url: string) => server.request('POST', '/api/url/add', { body: { url } });
  const { id } = (await add('https://example.com/1')).body;
  await add('https://example.com/2');
  const domain = addDomain(server, 'go.brand.example', 1);
  const { main } = server.databases;
  main.prepare('UPDATE links SET created_at = ?, expires_at = ? WHERE id = ?').run(at, at, id);
  main
    .prepare(
      `INSERT INTO domain_log (domain_id, at, event, message, details)
       VALUES (@domain, 0, 'added', '', json_object('until', @at)), (@domain, 0, 'added', '', '{"until":"soon"}')`,
    )
    .run({ domain, at });
  for (const path of ['/api/urls', '/api/urls/export', `/api/domain/${domain}/log`])
    expect([path, (await server.request('GET', path)).status]).toEqual([path, 200]);
});
