import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { administrator, setupCode, startApp, type TestApp } from '../../support/app.ts';
import { downloadOf, makeBackup, rowsOf, whenIdle } from '../../support/backups.ts';
import { secondAccount } from '../../support/second-account.ts';
import { memberOf, newTeam, type TestMember } from '../../support/team.ts';
import { totpCode } from '../../support/totp.ts';
import { upload } from '../../support/uploads.ts';

const passphrase = 'seven wet otters';
let server: TestApp;
let folder: string;
const folders: string[] = [];

function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'waypost-backup-'));
  folders.push(made);
  return made;
}

beforeEach(async () => {
  folder = newFolder();
  server = await startApp({ folder });
});
afterEach(async () => {
  await server.close();
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

/** Fills the instance: links, a file, two-factor authentication. Returns what opens them. */
async function fill(): Promise<{ secret: string; shorturl: string }> {
  for (const alias of ['spring', 'summer']) {
    await server.request('POST', '/api/url/add', {
      body: { url: `https://example.com/${alias}`, custom: alias },
    });
  }
  const { shorturl } = await upload(server, 'what the file says');
  const setup = await server.request('POST', '/api/account/2fa/setup');
  const secret = setup.body.data.secret as string;
  const code = totpCode(secret, server.clock.now());
  expect((await server.request('POST', '/api/account/2fa/enable', { body: { code } })).status).toBe(200);
  server.clock.advance(60_000);
  return { secret, shorturl };
}

/** Starts a fresh instance in another folder and restores a backup there, as the first page does. */
async function restoreElsewhere(file: Buffer, choice: Record<string, unknown>, target = newFolder()) {
  let restarts = 0;
  const fresh = await startApp({ folder: target, fresh: true, restart: () => (restarts += 1) });
  const sent = await fresh.request('POST', `/api/setup/backup?setupcode=${setupCode}`, {
    key: null,
    rawBody: file,
  });
  expect(sent.body).toMatchObject({ error: 0, data: { state: 'unchecked' } });
  const begun = await fresh.request('POST', '/api/setup/restore', {
    key: null,
    body: { id: sent.body.data.id, setupcode: setupCode, ...choice },
  });
  if (begun.status === 200) await expect.poll(() => restarts, { timeout: 15_000 }).toBe(1);
  await fresh.close();
  return { sent, begun, target, open: () => startApp({ folder: target, fresh: true, clock: server.clock }) };
}

function signIn(instance: TestApp, code?: string) {
  const { email, password } = administrator;
  return instance.request('POST', '/api/auth/login', { key: null, body: { login: email, password, code } });
}

test('a backup is one file with a manifest, and was restored to a scratch folder', async () => {
  await fill();
  const made = await makeBackup(server);
  expect(made).toMatchObject({
    state: 'restorable',
    kind: 'manual',
    secrets: 'none',
    keysathand: true,
    checked: '2027-01-15 12:01:00',
    problem: null,
    contents: { users: 1, links: 2, files: 1, filebytes: 'what the file says'.length },
  });
  const kept = join(folder, 'backups', made.filename);
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  expect(gunzipSync(readFileSync(kept)).subarray(0, 13).toString()).toBe('manifest.json');
  expect(existsSync(join(folder, 'backup-work'))).toBe(false);
});

test('a backup is downloaded as stored, once for each ticket', async () => {
  const made = await makeBackup(server);
  const { path } = (await server.request('POST', `/api/backup/${made.id}/ticket`)).body.data;
  const reply = await fetch(server.origin + path);
  expect(reply.headers.get('content-disposition')).toContain(made.filename);
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect(bytes.equals(readFileSync(join(folder, 'backups', made.filename)))).toBe(true);
  expect((await fetch(server.origin + path)).status).toBe(404);
  const { path: late } = (await server.request('POST', `/api/backup/${made.id}/ticket`)).body.data;
  server.clock.advance(61_000);
  expect((await fetch(server.origin + late)).status).toBe(404);
});

/** A team in which somebody sees only what they created, with an invitation that nobody has used yet. */
async function fillTeam() {
  const team = await newTeam(server);
  const [edna, cora] = [await team.join('edna', 'editor'), await team.join('cora', 'contributor', true)];
  for (const [member, custom] of [
    [team.owner, 'by-olga'],
    [cora, 'by-cora'],
  ] as const) {
    await member.inTeam('POST', '/api/url/add', { body: { url: `https://example.com/${custom}`, custom } });
  }
  await edna.inTeam('PUT', `/api/url/${(await linksOf(team.owner))[0].id}/update`, {
    body: { title: 'Of Edna' },
  });
  const invitation = { role: 'viewer', uses: 2 };
  const { code } = (await team.owner.request('POST', `/api/team/${team.id}/invite`, { body: invitation }))
    .body;
  return { id: team.id, people: { olga: team.owner, edna, cora }, code: code as string };
}

const linksOf = async (member: TestMember) => (await member.inTeam('GET', '/api/urls')).body.data.urls;

/** What each of a team sees of it on an instance. */
async function teamAsSeen(instance: TestApp, { id, people }: Awaited<ReturnType<typeof fillTeam>>) {
  const seen: Record<string, unknown> = {};
  for (const [name, person] of Object.entries(people)) {
    const member = memberOf(instance, person, id);
    const { data } = (await member.inTeam('GET', '/api/account')).body;
    const members = (await member.request('GET', `/api/team/${id}/members`)).body.data.members;
    const marksOf = ({ alias, title, created_by, updated_by }: Record<string, { name: string } | null>) => [
      alias,
      title,
      created_by?.name,
      updated_by?.name,
    ];
    seen[name] = {
      role: data.member.role,
      members: members.map((one: Record<string, unknown>) => [one.username, one.role, one.own_only]),
      links: (await linksOf(member)).map(marksOf),
    };
  }
  return seen;
}

test('restored to an empty folder with the passphrase, everything is as it was (F-14)', async () => {
  const { secret, shorturl } = await fill();
  const team = await fillTeam();
  const seen = await teamAsSeen(server, team);
  expect(seen.cora).toEqual({
    role: 'contributor',
    members: [['cora', 'contributor', true]],
    links: [['by-cora', 'Of Edna', 'cora', 'edna']],
  });
  await server.request('PUT', '/api/backup/passphrase', { body: { passphrase } });
  const made = await makeBackup(server);
  expect(made.secrets).toBe('sealed');
  const file = await downloadOf(server, made.id);
  expect(gunzipSync(file).includes(readFileSync(join(folder, 'vault.key'), 'utf8').trim())).toBe(false);
  const before = rowsOf(join(folder, 'waypost.sqlite'));

  const wrong = await restoreElsewhere(file, { passphrase: 'seven dry otters' });
  expect(wrong.begun.body).toMatchObject({ error: 1, code: 'passphrase_wrong', field: 'passphrase' });
  const without = await restoreElsewhere(file, {});
  expect(without.begun.body).toMatchObject({ error: 1, code: 'passphrase_required' });

  const { open, target } = await restoreElsewhere(file, { passphrase });
  const restored = await open();
  try {
    expect(rowsOf(join(target, 'waypost.sqlite'))).toEqual(before);
    expect(restored.databases.instanceId).toBe(server.databases.instanceId);
    expect((await signIn(restored)).body.code).toBe('code_required');
    expect((await signIn(restored, totpCode(secret, server.clock.now()))).status).toBe(200);
    expect((await restored.request('GET', '/api/account', { key: server.key })).status).toBe(200);
    const content = await fetch(`${restored.origin}${new URL(shorturl).pathname}`);
    expect(await content.text()).toBe('what the file says');
    expect(existsSync(join(target, 'restore', 'staged'))).toBe(false);

    // The same team: who is in it and sees what, who created what, and the invitation that was open.
    expect(await teamAsSeen(restored, team)).toEqual(seen);
    const visit = await fetch(`${restored.origin}/by-cora`, { redirect: 'manual' });
    expect(visit.headers.get('location')).toBe('https://example.com/by-cora');
    const guest = secondAccount(restored, 'guest');
    const joined = await guest.request('POST', '/api/team/join', { body: { code: team.code } });
    expect(joined.body).toEqual({ error: 0, id: team.id });
    expect(await linksOf(memberOf(restored, guest, team.id))).toHaveLength(2);
  } finally {
    await restored.close();
  }
});

test('without the keys of another machine, second factors are turned off, and only on request', async () => {
  await fill();
  const file = await downloadOf(server, (await makeBackup(server)).id);
  const refused = await restoreElsewhere(file, {});
  expect(refused.begun.body).toMatchObject({ error: 1, code: 'keys_missing' });
  const { open } = await restoreElsewhere(file, { withoutkeys: true });
  const restored = await open();
  try {
    const session = (await signIn(restored)).body.data.token;
    expect((await restored.request('GET', '/api/account', { key: session })).status).toBe(200);
    const audit = await restored.request('GET', '/api/audit?limit=100', { key: session });
    expect(JSON.stringify(audit.body)).toContain('backup.restored');
  } finally {
    await restored.close();
  }
});

test('a restore on the same machine needs no passphrase, and saves the current state first', async () => {
  const { secret } = await fill();
  const made = await makeBackup(server);
  await server.request('POST', '/api/url/add', {
    body: { url: 'https://example.com/later', custom: 'later' },
  });
  let restarts = 0;
  await server.close();
  server = await startApp({ folder, fresh: true, clock: server.clock, restart: () => (restarts += 1) });
  const key = (await signIn(server, totpCode(secret, server.clock.now()))).body.data.token;
  const begun = await server.request('POST', '/api/backup/restore', { key, body: { id: made.id } });
  expect(begun.status).toBe(200);
  await expect.poll(() => restarts, { timeout: 15_000 }).toBe(1);
  await server.close();
  server = await startApp({ folder, fresh: true, clock: server.clock });
  server.clock.advance(60_000);
  const session = (await signIn(server, totpCode(secret, server.clock.now()))).body.data.token;
  const urls = await server.request('GET', '/api/urls', { key: session });
  expect(urls.body.data.urls.map((each: { alias: string }) => each.alias).sort()).toEqual([
    'spring',
    'summer',
  ]);
  const { backups } = (await server.request('GET', '/api/backups', { key: session })).body.data;
  expect(backups[0]).toMatchObject({ kind: 'before-restore', state: 'restorable', contents: { links: 3 } });
  expect(existsSync(join(folder, 'restore', 'replaced'))).toBe(false);
});

test('a backup from elsewhere can be uploaded, checked and deleted', async () => {
  const file = await downloadOf(server, (await makeBackup(server)).id);
  const brought = (await server.request('POST', '/api/backup/upload', { rawBody: file })).body.data;
  expect(brought).toMatchObject({ kind: 'uploaded', state: 'unchecked' });
  await server.request('POST', `/api/backup/${brought.id}/check`);
  await whenIdle(server);
  expect((await server.request('GET', `/api/backup/${brought.id}`)).body.data.state).toBe('restorable');
  expect((await server.request('DELETE', `/api/backup/${brought.id}/delete`)).status).toBe(200);
  expect((await server.request('GET', `/api/backup/${brought.id}`)).status).toBe(404);
});

test('a damaged backup is reported, and nothing is restored from it', async () => {
  const made = await makeBackup(server);
  const path = join(folder, 'backups', made.filename);
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 200) ^ 255, bytes.length - 200);
  writeFileSync(path, bytes);
  await server.request('POST', `/api/backup/${made.id}/check`);
  expect(await whenIdle(server)).toMatchObject({ code: 'backup_damaged' });
  const { data } = (await server.request('GET', `/api/backup/${made.id}`)).body;
  expect(data).toMatchObject({ state: 'damaged', problem: expect.stringContaining('damaged') });
  await server.request('POST', '/api/backup/restore', { body: { id: made.id } });
  expect(await whenIdle(server)).toMatchObject({ code: 'backup_damaged' });
  expect(existsSync(join(folder, 'restore', 'staged'))).toBe(false);
  expect((await server.request('GET', '/api/account')).status).toBe(200);
});

test('one operation runs at a time, can be cancelled, and leaves nothing behind', async () => {
  const { id } = (await server.request('POST', '/api/backup/add')).body;
  expect((await server.request('POST', '/api/backup/add')).body).toMatchObject({ code: 'backup_running' });
  const { data } = (await server.request('GET', `/api/backup/${id}`)).body;
  expect(data).toMatchObject({ state: 'running', progress: expect.any(Number) });
  expect((await server.request('POST', `/api/backup/${id}/cancel`)).status).toBe(200);
  expect(await whenIdle(server)).toBeNull();
  expect(readdirSync(join(folder, 'backups')).filter((name) => name.includes('partial'))).toEqual([]);
  expect(existsSync(join(folder, 'backup-work'))).toBe(false);
});

test('the backup of a damaged database reports that, and the good one stays', async () => {
  await makeBackup(server);
  // An index that lacks an entry: what a flipped bit looks like to a full check.
  const { main } = server.databases;
  main.unsafeMode(true);
  main.pragma('writable_schema = 1');
  main.exec(
    "UPDATE sqlite_schema SET sql = 'CREATE INDEX links_by_url ON links (user_id, title)' WHERE name = 'links_by_url'",
  );
  main.pragma('writable_schema = 0');
  main.unsafeMode(false);
  await server.request('POST', '/api/backup/add');
  expect(await whenIdle(server)).toMatchObject({ code: 'backup_damaged' });
  const { backups } = (await server.request('GET', '/api/backups')).body.data;
  expect(backups.map(({ state }: { state: string }) => state)).toEqual(['damaged', 'restorable']);
});

test('only administrators, and keys that may change settings, have access to backups', async () => {
  const made = await makeBackup(server);
  const bert = secondAccount(server);
  for (const [method, path] of [
    ['GET', '/api/backups'],
    ['POST', '/api/backup/add'],
    ['GET', `/api/backup/${made.id}`],
    ['GET', `/api/backup/${made.id}/download`],
    ['POST', `/api/backup/${made.id}/ticket`],
    ['DELETE', `/api/backup/${made.id}/delete`],
    ['POST', '/api/backup/restore'],
    ['POST', '/api/backup/upload'],
  ] as const) {
    expect([path, (await bert.request(method, path)).status]).toEqual([path, 403]);
  }
  const reader = await server.request('POST', '/api/key/add', {
    body: { name: 'r', scopes: ['settings:read'] },
  });
  const key = reader.body.data.api_key;
  expect((await server.request('GET', '/api/backups', { key })).status).toBe(200);
  const refused = await server.request('GET', `/api/backup/${made.id}/download`, { key });
  expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
});

test('setting up from a backup requires the code, and is possible only without an account', async () => {
  const reply = await server.request('POST', '/api/setup/backup', { key: null, rawBody: 'x' });
  expect(reply.status).toBe(404);
  const fresh = await startApp({ fresh: true });
  try {
    const refused = await fresh.request('POST', '/api/setup/backup', { key: null, rawBody: 'x' });
    expect([refused.status, refused.body.code]).toEqual([403, 'setup_code_required']);
    const nonsense = await fresh.request('POST', '/api/setup/backup?setupcode=SETUPCODE', {
      key: null,
      rawBody: 'x',
    });
    expect([nonsense.status, nonsense.body.code]).toEqual([400, 'not_a_backup']);
    expect(readdirSync(join(fresh.folder, 'backups'))).toEqual([]);
  } finally {
    await fresh.close();
  }
});
