import { afterEach, beforeEach, expect, test } from 'vitest';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { defaultSettings } from '../../../server/platform/settings/defaults.ts';
import { settingsQueries } from '../../../server/platform/settings/queries.ts';
import { settingsService } from '../../../server/platform/settings/service.ts';
import { administrator, startApp, type TestApp } from '../../support/app.ts';
import { downloadOf, makeBackup } from '../../support/backups.ts';
import { totpCode } from '../../support/totp.ts';

let server: TestApp;
beforeEach(async () => {
  server = await startApp();
});
afterEach(() => server.close());

/** As on a disk that fills up between two writes. */
function failEveryNote(): void {
  server.databases.main.exec(
    `CREATE TEMP TRIGGER no_audit BEFORE INSERT ON main.audit BEGIN SELECT RAISE(ABORT, 'no room'); END`,
  );
}
const allowNotes = () => void server.databases.main.exec('DROP TRIGGER temp.no_audit');

/** What `read` shows is the same after a change that could not be logged; returns the reply once it can be. */
async function triedTwice<Seen>(
  read: () => Promise<Seen> | Seen,
  method: string,
  path: string,
  body?: unknown,
) {
  const before = await read();
  failEveryNote();
  const refused = await server.request(method, path, { body });
  expect([path, refused.status]).toEqual([path, 500]);
  allowNotes();
  expect(await read()).toEqual(before);
  const done = await server.request(method, path, { body });
  expect([path, done.status, done.body.message]).toEqual([path, 200, done.body.message]);
  expect(await read()).not.toEqual(before);
  return done.body;
}

const rowsOf = (table: string) => () => server.databases.main.prepare(`SELECT * FROM ${table}`).all();
const shown = (path: string) => async () => (await server.request('GET', path)).body.data;

test('settings that cannot be logged are neither stored nor applied', async () => {
  const body = { domainSyncMinutes: 4, backup: { keepWeekly: 309 } };
  await triedTwice(shown('/api/settings'), 'PUT', '/api/settings', body);
  expect(rowsOf('settings')()).toHaveLength(2);
});

test('if storing the second of two settings fails, the first is unchanged', async () => {
  const before = await shown('/api/settings')();
  server.databases.main.exec(
    `CREATE TEMP TRIGGER one_setting BEFORE INSERT ON main.settings WHEN (SELECT count(*) FROM main.settings) = 1
     BEGIN SELECT RAISE(ABORT, 'no room'); END`,
  );
  const body = { domainSyncMinutes: 4, retentionDays: 30 };
  expect((await server.request('PUT', '/api/settings', { body })).status).toBe(500);
  expect(await shown('/api/settings')()).toEqual(before);
  expect(rowsOf('settings')()).toEqual([]);
});

test('an invitation, a passphrase and a session are unchanged if their end cannot be logged', async () => {
  const invited = await server.request('POST', '/api/invite/add', { body: {} });
  expect(invited.status).toBe(200);
  const [invitation] = rowsOf('invitations')() as { id: number }[];
  await triedTwice(rowsOf('invitations'), 'DELETE', `/api/invite/${invitation?.id}/delete`);
  await triedTwice(rowsOf('settings'), 'PUT', '/api/backup/passphrase', { passphrase: 'long enough' });
  const sessions = () =>
    server.databases.main.prepare(`SELECT id FROM keys WHERE kind = 'session' ORDER BY id`).pluck().all();
  const signedIn = await server.request('POST', '/api/auth/login', {
    key: null,
    body: { login: administrator.email, password: administrator.password },
  });
  expect(signedIn.status).toBe(200);
  await triedTwice(sessions, 'DELETE', `/api/auth/session/${sessions().at(-1)}/delete`);
  await triedTwice(sessions, 'POST', '/api/auth/logout');
});

test('no backup is created, uploaded, restored or deleted without an entry', async () => {
  const kept = async () => (await shown('/api/backups')()).backups as { id: number }[];
  const { id } = await makeBackup(server);
  const file = await downloadOf(server, id);
  failEveryNote();
  const before = await kept();
  const tries = [
    ['POST', '/api/backup/add', {}],
    ['POST', '/api/backup/upload', { rawBody: file }],
    ['POST', '/api/backup/restore', { body: { id, withoutkeys: true } }],
    ['DELETE', `/api/backup/${id}/delete`, {}],
  ] as const;
  for (const [method, path, content] of tries) {
    expect([path, (await server.request(method, path, content)).status]).toEqual([path, 500]);
    expect((await shown('/api/backups')()).running).toBeNull();
    expect(await kept()).toEqual(before);
  }
  allowNotes();
  expect((await server.request('DELETE', `/api/backup/${id}/delete`)).status).toBe(200);
  expect(await kept()).toEqual([]);
});

test('a recovery code whose use cannot be logged stays valid, and so does the set-up of a second factor', async () => {
  const { secret } = (await server.request('POST', '/api/account/2fa/setup')).body.data;
  const code = totpCode(secret, server.clock.now());
  const { data } = await triedTwice(rowsOf('recovery_codes'), 'POST', '/api/account/2fa/enable', { code });
  const [recovery] = data.recovery_codes;
  const used = rowsOf('recovery_codes');
  await triedTwice(used, 'POST', '/api/account/2fa/disable', { code: recovery });
});

test('a failing listener reverts no setting and keeps no other from being notified', () => {
  const { main } = server.databases;
  const logged: unknown[] = [];
  const settings = settingsService({
    queries: settingsQueries(main),
    fixed: {},
    transactions: transactions(main),
    log: { error: (entry: unknown) => void logged.push(entry) },
  });
  const told: string[][] = [];
  settings.onChange(() => {
    throw new Error('no network');
  });
  settings.onChange((names) => void told.push([...names]));
  settings.change({ domainSyncMinutes: 4 });
  expect(settings.current()).toEqual({ ...defaultSettings, domainSyncMinutes: 4 });
  expect(told).toEqual([['domainSyncMinutes']]);
  expect(logged).toMatchObject([{ err: { message: 'no network' } }]);
});
