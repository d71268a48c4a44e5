import { afterEach, beforeEach, expect, test } from 'vitest';
import { domainProofs } from '../../../server/network/domains/proof.ts';
import { startApp, type TestApp } from '../../support/app.ts';
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
