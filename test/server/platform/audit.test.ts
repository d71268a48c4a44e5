import { afterAll, beforeAll, expect, test } from 'vitest';
import { administrator, startApp, type TestApp } from '../../support/app.ts';
import { totpCode } from '../../support/totp.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
});
afterAll(() => server.close());

const send = (method: string, path: string, body?: unknown, key?: string | null) =>
  server.request(method, path, {
    ...(body !== undefined && { body }),
    ...(key !== undefined && { key }),
  });
const list = async (query = '', key?: string) =>
  (await send('GET', `/api/audit?limit=100${query}`, undefined, key)).body.data.audit;
const actions = async (key?: string): Promise<string[]> =>
  (await list('', key)).map((entry: { action: string }) => entry.action);

test('an entry says who did what, from where, with which key, when', async () => {
  await send('PUT', '/api/account/update', { email: 'anna.berg@example.com' }, server.key);
  const [entry] = await list('&action=account.email');
  expect(entry).toEqual({
    id: expect.any(Number),
    date: '2027-01-15 12:00:00',
    action: 'account.email',
    user: { id: 1, username: 'anna' },
    actor: { id: 1, username: 'anna' },
    key: { id: expect.any(Number), name: 'Primary key' },
    address: '127.0.0.1',
    details: { from: 'anna@example.com', to: 'anna.berg@example.com' },
  });
});

test('every security event writes one', async () => {
  await send('PUT', '/api/account/update', {
    username: 'anna.b',
    password: 'another one',
    current_password: administrator.password,
  });
  const { secret } = (await send('POST', '/api/account/2fa/setup')).body.data;
  await send('POST', '/api/account/2fa/enable', { code: totpCode(secret, server.clock.now()) });
  await send('POST', '/api/account/2fa/recovery', { current_password: 'another one' });
  await send('POST', '/api/account/2fa/disable', { current_password: 'another one' });
  const { id } = (await send('POST', '/api/key/add', { name: 'Script' })).body.data;
  await send('PUT', `/api/key/${id}/update`, { name: 'Renamed' });
  await send('DELETE', `/api/key/${id}/delete`);
  await send('POST', '/api/account/api/regenerate', {});
  await send('POST', '/api/auth/login', { login: 'anna.b', password: 'wrong' }, null);
  await send('POST', '/api/invite/add', {});
  await send('PUT', '/api/settings', { registration: 'closed' });
  await send('POST', '/api/plan/add', { name: 'Team' });
  const made = await send('POST', '/api/user/add', {
    username: 'temporary',
    email: 'temporary@example.com',
    password: 'secret',
  });
  await send('DELETE', `/api/user/${made.body.data.id}/delete`);
  expect(await actions()).toEqual(
    expect.arrayContaining([
      'account.username',
      'account.password',
      'twofactor.enabled',
      'twofactor.recovery_codes',
      'twofactor.disabled',
      'key.added',
      'key.updated',
      'key.deleted',
      'key.rotated',
      'session.refused',
      'session.started',
      'invitation.added',
      'settings.updated',
      'plan.added',
      'user.added',
      'user.deleted',
    ]),
  );
});

test('people see entries of and about themselves, administrators all', async () => {
  const made = await send('POST', '/api/user/add', {
    username: 'bert',
    email: 'bert@example.com',
    password: 'secret',
  });
  const { token } = (await send('POST', '/api/auth/login', { login: 'bert', password: 'secret' }, null)).body
    .data;
  await send('PUT', `/api/user/${made.body.data.id}/update`, { name: 'Bert' });
  expect(await actions(token)).toEqual(['user.updated', 'session.started', 'user.added']);
  expect((await list('', token))[0].actor.username).toMatch(/^anna/);
  expect((await actions()).length).toBeGreaterThan(3);
  const own = await list('&show=own');
  expect(
    own.every(
      (entry: { user: { id: number } | null; actor: { id: number } | null }) =>
        entry.user?.id === 1 || entry.actor?.id === 1,
    ),
  ).toBe(true);
});

test('no entry holds a secret', async () => {
  const text = JSON.stringify(server.databases.main.prepare('SELECT * FROM audit').all());
  for (const secret of [administrator.password, 'another one', server.key.slice(10)]) {
    expect(text).not.toContain(secret);
  }
});

test('entries go after 400 days', async () => {
  const login = () => send('POST', '/api/auth/login', { login: 'bert', password: 'secret' }, null);
  server.clock.advance(399 * 86_400_000);
  await login();
  const count = () =>
    server.databases.main.prepare("SELECT count(*) AS n FROM audit WHERE action = 'key.rotated'").get();
  expect(count()).toEqual({ n: 1 });
  server.clock.advance(2 * 86_400_000);
  await login();
  expect(count()).toEqual({ n: 0 });
});
