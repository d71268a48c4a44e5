import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditQueries } from '../../../server/platform/audit/queries.ts';
import { auditSweep } from '../../../server/platform/audit/service.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { slices } from '../../../server/platform/jobs/slices.ts';
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

test('an entry records who did what, from where, with which key, and when', async () => {
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

test('every security event is logged', async () => {
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

test('people see entries of and about themselves, administrators see all', async () => {
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

test('no entry contains a secret', async () => {
  const text = JSON.stringify(server.databases.main.prepare('SELECT * FROM audit').all());
  for (const secret of [administrator.password, 'another one', server.key.slice(10)]) {
    expect(text).not.toContain(secret);
  }
});

test('entries are deleted after 400 days', async () => {
  const count = () =>
    server.databases.main.prepare("SELECT count(*) AS n FROM audit WHERE action = 'key.rotated'").get();
  const { main } = server.databases;
  const sweep = auditSweep({
    queries: auditQueries(main),
    slices: slices({ transactions: transactions(main), monotonic: server.clock.monotonic }),
    now: server.clock.now,
    isClockTrusted: () => isTrusted,
  });
  const run = async () => sweep.run(AbortSignal.any([]));
  // More than one step takes.
  main.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25)
    INSERT INTO audit (at, action, actor, key_name, address) SELECT (SELECT min(at) FROM audit), 'key.rotated', '', '', '' FROM n`);
  let isTrusted = true;
  server.clock.advance(399 * 86_400_000);
  await run();
  expect(count()).toEqual({ n: 26 });
  server.clock.advance(2 * 86_400_000);
  isTrusted = false;
  await run();
  expect(count()).toEqual({ n: 26 });
  isTrusted = true;
  await run();
  expect(count()).toEqual({ n: 0 });
});

test('the server deletes old entries by itself', async () => {
  const oldest = () => server.databases.main.prepare('SELECT min(id) FROM audit').pluck().get();
  await send('POST', '/api/auth/login', { login: 'bert', password: 'secret' }, null);
  const before = oldest();
  server.clock.advance(500 * 86_400_000);
  server.app.startJobs();
  // A clock that was set years ahead is believed once it has gone on for a day.
  const daysLater = () => {
    server.clock.advance(86_400_000);
    return oldest();
  };
  await expect.poll(daysLater, { timeout: 20_000 }).not.toBe(before);
});
