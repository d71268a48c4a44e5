import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigRefused, readConfig } from '../../../server/platform/config.ts';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
const read = async () => (await server.request('GET', '/api/settings')).body.data;
const change = (body: unknown) => server.request('PUT', '/api/settings', { body });

describe('the settings', () => {
  beforeEach(async () => {
    server = await startApp();
  });
  afterEach(() => server.close());

  test('start with the published limits and Pro for everybody', async () => {
    expect(await read()).toMatchObject({
      baseUrl: null,
      ratelimit: 30,
      maxUploadMb: 100,
      domainSyncMinutes: 10,
      registration: 'invitation',
      defaultPlan: 2,
      sharing: false,
      ssl: { mode: 'off' },
      fixed: [],
    });
  });

  test('are updated key by key, also inside groups', async () => {
    const before = await read();
    const reply = await change({ backup: { keepDaily: 3 }, retentionDays: 365 });
    expect([reply.status, reply.body.data]).toEqual([
      200,
      { ...before, retentionDays: 365, backup: { ...before.backup, keepDaily: 3 } },
    ]);
    expect(await read()).toEqual(reply.body.data);
  });

  test.each([
    ['ratelimit', { ratelimit: 0 }],
    ['ratelimit', { ratelimit: '30' }],
    ['baseUrl', { baseUrl: 'ftp://example.com' }],
    ['baseUrl', { baseUrl: 'https://example.com/path' }],
    ['trustedProxies.0', { trustedProxies: ['10.0.0.0/33'] }],
    ['trustedProxies.0', { trustedProxies: ['proxy'] }],
    ['dnsServers.0', { dnsServers: ['dns.example.com'] }],
    ['registration', { registration: 'maybe' }],
    ['defaultPlan', { defaultPlan: 99 }],
    ['ssl.mode', { ssl: { mode: 'on' } }],
    ['publicAddresses', { ssl: { mode: 'acme' } }],
    ['backup.keepDaily', { backup: { keepDaily: 0 } }],
    ['retentionDays', { retentionDays: 1.5 }],
  ])('are refused as a whole if %s is invalid: %j', async (field, body) => {
    const before = await read();
    const reply = await change({ maxUploadMb: 5, ...body });
    expect([reply.status, reply.body.field]).toEqual([400, field]);
    expect(reply.body.message).toMatch(/^[A-Z].*\.$/);
    expect(await read()).toEqual(before);
  });

  test('apply immediately', async () => {
    await change({ ratelimit: 2, baseUrl: 'https://go.example.com/', defaultPlan: 1 });
    const reply = await server.request('GET', '/api/account', { key: server.key });
    expect([reply.headers.get('x-ratelimit-limit'), reply.body.data.domain]).toEqual([
      '2',
      'https://go.example.com',
    ]);
    const { id } = (
      await server.request('POST', '/api/user/add', {
        body: { username: 'bert', email: 'bert@example.com', password: 'secret' },
      })
    ).body.data;
    expect((await server.request('GET', `/api/user/${id}`)).body.data.planid).toBe(1);
  });
});

test('stored settings survive a restart, and start options override them and cannot be changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-test-'));
  server = await startApp({ folder });
  await change({ ratelimit: 50, maxUploadMb: 7 });
  await server.close();
  server = await startApp({ folder, settings: { ratelimit: 99, ssl: { mode: 'external' } } });
  expect(await read()).toMatchObject({
    ratelimit: 99,
    maxUploadMb: 7,
    fixed: ['ratelimit', 'ssl.mode'],
    ssl: { mode: 'external' },
  });
  const refused = await change({ ratelimit: 10 });
  expect([refused.status, refused.body.code, refused.body.field]).toEqual([
    400,
    'setting_fixed',
    'ratelimit',
  ]);
  // A form sends everything back, the fixed ones unchanged.
  expect((await change({ ...(await read()), maxUploadMb: 8 })).status).toBe(200);
  await server.close();
  server = await startApp({ folder });
  expect(await read()).toMatchObject({ ratelimit: 50, maxUploadMb: 8, ssl: { mode: 'off' }, fixed: [] });
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['maxUploadMb', '{'],
  ['__proto__', '{}'],
  ['backupPassphrase', '{'],
  ['singleSignOnSecret', '{'],
  ['mailPassword', '{'],
  ['mailPassword', '[5]'],
  ['fleetEngine', '{'],
  ['fleetEngine', '[5]'],
])('a damaged row %s does not keep the server from starting and serving links', async (name, value) => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-test-'));
  server = await startApp({ folder });
  await change({ ratelimit: 50 });
  await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', custom: 'kept' } });
  server.databases.main.prepare('INSERT INTO settings (name, value) VALUES (?, ?)').run(name, value);
  await server.close();
  server = await startApp({ folder });
  expect((await server.request('GET', '/kept', { key: null })).status).toBe(302);
  expect(await read()).toMatchObject({ ratelimit: 50, maxUploadMb: 100 });
  expect((await server.request('GET', '/api/backups')).status).toBe(200);
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the command line', () => {
  test('has every setting, and overrides the environment', () => {
    const { settings } = readConfig(
      ['--ratelimit', '60', '--ssl-mode', 'external', '--trusted-proxies', '10.0.0.0/8, ::1'],
      { WAYPOST_RATELIMIT: '5', WAYPOST_SHARING: 'true', WAYPOST_BASE_URL: 'https://go.example.com/' },
    );
    expect(settings).toEqual({
      ratelimit: 60,
      ssl: { mode: 'external' },
      trustedProxies: ['10.0.0.0/8', '::1'],
      sharing: true,
      baseUrl: 'https://go.example.com',
    });
    expect(readConfig([], {}).settings).toEqual({});
  });

  test.each([
    ['--ratelimit', '0'],
    ['--ratelimit', 'many'],
    ['--sharing', 'yes'],
    ['--base-url', 'example.com'],
    ['--trusted-proxies', '10.0.0.0/40'],
    ['--ssl-mode', 'on'],
  ])('refuses %s %s with the name of the option', (name, value) => {
    expect(() => readConfig([name, value], {})).toThrow(ConfigRefused);
    expect(() => readConfig([name, value], {})).toThrow(name);
  });

  test('accepts a vault key from the environment only', () => {
    const key = Buffer.alloc(32, 7);
    expect(readConfig([], { WAYPOST_VAULT_KEY: key.toString('base64') }).vaultKey).toEqual(key);
    expect(() => readConfig([], { WAYPOST_VAULT_KEY: 'short' })).toThrow(ConfigRefused);
    expect(() => readConfig(['--vault-key', 'x'], {})).toThrow(ConfigRefused);
  });
});

test('excluded addresses are not counted from the next visit on', async () => {
  server = await startApp();
  const made = await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/' } });
  const visit = () =>
    fetch(made.body.shorturl, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' },
    });
  const clicks = () =>
    server.databases.clicks.prepare('SELECT count(*) AS n FROM clicks').get() as { n: number };
  await visit();
  const before = clicks().n;
  await change({ privacy: { uncountedAddresses: ['127.0.0.0/8'] } });
  await visit();
  expect([before, clicks().n]).toEqual([1, 1]);
  await server.close();
});

describe.skipIf(process.platform === 'darwin' || process.platform === 'win32')(
  'the default data folder',
  () => {
    afterEach(() => {
      vi.unstubAllEnvs();
    });

    test.each(['', 'somewhere', './here'])('is in the home folder if XDG_DATA_HOME is "%s"', (folder) => {
      vi.stubEnv('HOME', '/home/anna');
      expect(readConfig(['serve'], { XDG_DATA_HOME: folder }).data).toBe('/home/anna/.local/share/waypost');
      expect(readConfig(['serve'], { XDG_DATA_HOME: '/srv/odd' }).data).toBe('/srv/odd/waypost');
    });

    test.each(['', 'anna'])('must be given if HOME is "%s"', (folder) => {
      vi.stubEnv('HOME', folder);
      expect(() => readConfig(['serve'], {})).toThrow('Name a folder with --data.');
      expect(readConfig(['serve', '--data', '/srv/links'], {}).data).toBe('/srv/links');
    });
  },
);
