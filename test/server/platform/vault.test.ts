import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { administrator, startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { totpCode } from '../../support/totp.ts';

const clock = testClock();
let folder = '';
let file = '';
let secret = '';
let key = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-vault-'));
  file = join(folder, 'vault.key');
  const server = await startApp({ folder, clock });
  key = server.key;
  await server.request('POST', '/api/url/add', {
    body: { url: 'https://example.com/spring', custom: 'spring' },
  });
  secret = (await server.request('POST', '/api/account/2fa/setup')).body.data.secret;
  const code = totpCode(secret, clock.now());
  const enabled = await server.request('POST', '/api/account/2fa/enable', { body: { code } });
  expect(enabled.status).toBe(200);
  clock.advance(30_000);
  await server.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the instance again, and closes it whatever the look at it finds. */
async function started(look: (server: TestApp) => Promise<void>): Promise<void> {
  const server = await startApp({ folder, clock, fresh: true });
  try {
    await look(server);
  } finally {
    await server.close();
  }
}

/** What administrators are told of it in their first page. */
const told = async (server: TestApp) =>
  (await server.request('GET', '/api/instance', { key })).body.data.lostsecrets;
const logged = (server: TestApp) => server.logLines().join('');

test.each([
  ['gone', undefined],
  ['no key', 'torn\n'],
])(
  'a key that is %s is not replaced while something is encrypted with it, and links keep working',
  async (_what, left) => {
    const kept = readFileSync(file);
    if (left === undefined) rmSync(file);
    else writeFileSync(file, left);
    await started(async (server) => {
      expect(logged(server)).toMatch(/"level":50.*vault\.key.*1 second factor/);
      expect((await server.request('GET', '/spring', { key: null })).status).toBe(302);
      expect(await told(server)).toEqual({ kinds: ['second factor'], key: 'missing' });
    });
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(left);
    writeFileSync(file, kept);
    await started(async (server) => {
      expect(logged(server)).not.toContain('vault.key');
      expect(await told(server)).toBeNull();
      const { email, password } = administrator;
      const body = { login: email, password, code: totpCode(secret, clock.now()) };
      expect((await server.request('POST', '/api/auth/login', { key: null, body })).status).toBe(200);
    });
  },
);

test('while the key is missing no new secret is stored, which would be lost once it is back', async () => {
  rmSync(file);
  await started(async (server) => {
    const body = { url: 'https://example.com/hook', events: ['*'] };
    const refused = await server.request('POST', '/api/webhook/add', { key, body });
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      503,
      'unavailable',
      expect.stringContaining('vault.key'),
    ]);
  });
});

test('a key other than the one used for encryption is reported', async () => {
  writeFileSync(file, `${Buffer.alloc(32).toString('base64')}\n`);
  await started(async (server) => {
    expect(logged(server)).toMatch(/"level":50.*is not the one.*1 second factor/);
    expect(await told(server)).toEqual({ kinds: ['second factor'], key: 'other' });
  });
});

test('a new key is created for a folder without one once nothing is encrypted any more', async () => {
  rmSync(file);
  await started(async (server) => {
    server.databases.main.prepare('UPDATE users SET totp_secret = NULL').run();
  });
  await started(async (server) => expect(logged(server)).not.toContain('vault.key'));
  expect(existsSync(file)).toBe(true);
});
