import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../../server/operations/commands/run.ts';
import { connect } from '../../../server/platform/database/connect.ts';
import { commandApp } from '../../../server/start.ts';
import { startApp } from '../../support/app.ts';
import { seededIntegers } from '../../support/clock.ts';
import { totpCode } from '../../support/totp.ts';
import { upload } from '../../support/uploads.ts';
import { visit } from '../../support/visits.ts';

let base = '';
let data = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'waypost-commands-'));
  data = join(base, 'data');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Runs a command in this process; `--data` is the folder of the test. */
async function run(name: string, ...args: string[]): Promise<{ code: number; out: string[]; err: string[] }> {
  return runOn(data, name, ...args);
}

const runOn = (folder: string, name: string, ...args: string[]) => runAs(name, ...args, '--data', folder);

async function runAs(name: string, ...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    print: (line: string) => void out.push(line),
    remark: (line: string) => void err.push(line),
  };
  const code = await runCommand(name, args, commandApp, terminal);
  return { code, out, err };
}

/** An instance with an administrator that was used and stopped. */
async function stoppedInstance(): Promise<void> {
  await (await startApp({ folder: data })).close();
}

test('the last administrator cannot be deleted, with a single message', async () => {
  await stoppedInstance();
  expect(await run('user', 'remove', 'anna', '--yes')).toEqual({
    code: 1,
    out: [],
    err: ['This is the last administrator. Make another account an administrator first.'],
  });
  expect((await run('user', 'list')).out).toHaveLength(2);
});

test("a folder that cannot be created is reported in one sentence, for a backup and an engine's files", async () => {
  await stoppedInstance();
  writeFileSync(join(base, 'file'), '');
  const folder = join(base, 'file', 'below');
  const refused = {
    code: 1,
    out: [],
    err: [expect.stringContaining(`The folder ${folder} cannot be created`)],
  };
  expect(await run('backup', '--to', join(folder, 'a.tar.gz'))).toEqual(refused);
  expect(await runAs('fleet', 'config', '--out', folder)).toEqual(refused);
});

test('teams are created, listed and joined from the command line', async () => {
  await stoppedInstance();
  await run('user', 'add', 'bert', '--email', 'bert@example.com');
  expect(await run('team', 'add', 'Press office', '--owner', 'anna')).toEqual({
    code: 0,
    out: ['Team Press office was created with id 3.'],
    err: [],
  });
  const member = (...args: string[]) => run('team', 'member', '3', ...args);
  expect((await member('bert', '--role', 'contributor', '--own-only')).out).toEqual([
    'bert is in the team as contributor.',
  ]);
  expect((await member('bert', '--role', 'editor')).code).toBe(0);
  expect((await run('team', 'list')).out.map((line) => line.split(/ +/).slice(0, 3))).toEqual([
    ['ID', 'OWNER', 'MEMBERS'],
    ['3', 'anna', '2'],
  ]);
  const refusals: [string[], number, string][] = [
    [['anna', '--role', 'viewer'], 1, 'A team has one owner, who changes only when the team is transferred.'],
    [['bert', '--role', 'owner'], 1, 'A team has one owner, who changes only when the team is transferred.'],
    [['bert', '--role', 'king'], 2, '"team member" needs --role, or --remove. Try --help.'],
    [['nobody', '--role', 'viewer'], 1, 'There is no account "nobody".'],
  ];
  for (const [args, code, sentence] of refusals) {
    expect(await member(...args)).toEqual({ code, out: [], err: [sentence] });
  }
  const server = await startApp({ folder: data });
  const database = server.databases.main;
  expect(database.prepare('SELECT role, own_only FROM members WHERE person_id = 2').get()).toEqual({
    role: 'editor',
    own_only: 0,
  });
  await server.close();
  expect((await member('bert', '--remove')).out).toEqual(['bert is no longer in the team.']);
  expect((await member('bert', '--remove')).err).toEqual(['Member was not found.']);
});

test('check does not count a claimed host as a domain', { tags: 'long' }, async () => {
  await stoppedInstance();
  const database = connect(join(data, 'waypost.sqlite'), 'FULL');
  database.exec(
    `INSERT INTO settings (name, value) VALUES ('baseUrl', '"https://shop.example"');
     INSERT INTO domains (user_id, host, active, dns_type, lapses_at, created_at)
     VALUES (1, 'shop.example', 0, 'cloudflare', 9999999999999, 0)`,
  );
  expect(await run('check')).toMatchObject({ code: 0, out: expect.arrayContaining(['domains    ok']) });
  database.exec('UPDATE domains SET lapses_at = NULL, active = 1');
  database.close();
  const { code, out } = await run('check');
  expect([code, out]).toEqual([1, expect.arrayContaining([expect.stringContaining('shop.example is both')])]);
});

test.each([['check'], ['backup'], ['user', 'list'], ['export', '--user', 'anna']])(
  '%s exits with 78 and a message if pages of the database are damaged',
  async (...command) => {
    await stoppedInstance();
    const pages = 4096;
    const next = seededIntegers();
    const noise = Buffer.from(Array.from({ length: 40 * pages }, () => next(256)));
    const descriptor = openSync(join(data, 'waypost.sqlite'), 'r+');
    writeSync(descriptor, noise, 0, noise.length, 19 * pages);
    closeSync(descriptor);
    const [name = '', ...args] = command;
    const { code, out, err } = await run(name, ...args);
    expect(code).toBe(78);
    expect([...out, ...err].filter((line) => line.includes('damaged'))).toHaveLength(1);
    expect([...out, ...err].join('\n')).not.toMatch(/^\s+at /m);
  },
);

/** An instance with something sealed: a second factor, the secret of a webhook, the passphrase of backups. */
async function instanceWithSecrets(): Promise<void> {
  const server = await startApp({ folder: data });
  const { secret } = (await server.request('POST', '/api/account/2fa/setup')).body.data;
  const code = totpCode(secret, server.clock.now());
  expect((await server.request('POST', '/api/account/2fa/enable', { body: { code } })).status).toBe(200);
  const hook = { url: 'https://example.com/hook', events: ['link.created'] };
  expect((await server.request('POST', '/api/webhook/add', { body: hook })).status).toBe(200);
  const passphrase = 'seven wet otters';
  await server.request('PUT', '/api/backup/passphrase', { body: { passphrase } });
  await server.close();
}

test.each([
  ['is gone', (file: string) => rmSync(file), 'missing or unreadable'],
  ['is no key', (file: string) => writeFileSync(file, 'x\n'), 'missing or unreadable'],
  [
    'is another one',
    (file: string) => writeFileSync(file, `${Buffer.alloc(32).toString('base64')}\n`),
    'is not the one',
  ],
])('a vault key that %s is named by check and backup, which then claim less', async (_what, lose, words) => {
  await instanceWithSecrets();
  expect(await run('check')).toMatchObject({ code: 0, out: expect.arrayContaining(['secrets    ok']) });
  lose(join(data, 'vault.key'));
  const checked = await run('check');
  expect(checked.code).toBe(1);
  expect(checked.out.join('\n')).toMatch(
    new RegExp(`secrets .*${words}.*: 1 second factor, 1 webhook secret, 1 backup passphrase\\.`),
  );
  const made = await run('backup');
  expect(made.code).toBe(1);
  expect(made.err.join('\n')).toMatch(new RegExp(`${words}.*1 second factor`));
  expect(made.err.join('\n')).not.toContain('are those of the instance');
  expect(existsSync(made.out[0] ?? '')).toBe(true);
});

test('a refused restore leaves nothing, and one without keys leaves nothing encrypted and room for a new key', async () => {
  await instanceWithSecrets();
  const file = join(base, 'copy.tar.gz');
  await run('backup', '--to', file);
  const target = join(base, 'other');
  const refused = await runOn(join(target, 'deeper'), 'restore', file);
  expect([refused.code, refused.err.join()]).toEqual([1, expect.stringContaining('--without-keys')]);
  expect(existsSync(target)).toBe(false);
  mkdirSync(target);
  expect((await runOn(target, 'restore', file)).code).toBe(1);
  expect(readdirSync(target)).toEqual([]);
  const restored = await runOn(target, 'restore', file, '--without-keys');
  expect([restored.code, restored.err.filter((line) => line.includes('The previous data'))]).toEqual([0, []]);
  expect(existsSync(join(target, 'vault.key'))).toBe(false);
  const server = await startApp({ folder: target, fresh: true });
  await server.close();
  expect(server.logLines().join('')).not.toContain('vault.key');
  expect(existsSync(join(target, 'vault.key'))).toBe(true);
  expect(await runOn(target, 'check')).toMatchObject({ out: expect.arrayContaining(['secrets    ok']) });
});

test('check finds content changed at the same size since its backup', { tags: 'long' }, async () => {
  const server = await startApp({ folder: data });
  await upload(server, 'what the file says');
  await server.close();
  expect((await run('backup')).code).toBe(0);
  expect(await run('check')).toMatchObject({
    code: 0,
    out: expect.arrayContaining(['contents   ok: 1 files, 1 of them compared with backups']),
  });
  const [content = ''] = readdirSync(join(data, 'files')).filter((name) => name !== 'tmp');
  writeFileSync(join(data, 'files', content), 'what the file SAYS');
  // A later backup has the changed content; the older one tells it.
  await run('backup');
  expect(await run('check')).toMatchObject({
    code: 1,
    out: expect.arrayContaining([`contents   files/${content} differs from its backup`]),
  });
  // One that cannot be read hides nothing of the others.
  const [backup = ''] = readdirSync(join(data, 'backups')).filter((name) => name.endsWith('.gz'));
  writeFileSync(join(data, 'backups', backup), 'nothing');
  const { code, out } = await run('check');
  expect([code, out.join('\n')]).toEqual([1, expect.stringMatching(`backups    ${backup}: .*backup`)]);
});

test('check finds an account with a wrong byte count', { tags: 'long' }, async () => {
  const server = await startApp({ folder: data });
  await upload(server, 'what the file says');
  await server.close();
  expect(await run('check')).toMatchObject({ code: 0, out: expect.arrayContaining(['storage    ok']) });
  const database = connect(join(data, 'waypost.sqlite'), 'FULL');
  database.prepare('UPDATE stored_bytes SET files = files - 8').run();
  database.close();
  expect(await run('check')).toMatchObject({
    code: 1,
    out: expect.arrayContaining(['storage    account 1 is counted as 10 bytes but stores 18']),
  });
});

test('check finds lists with wrong link counts', async () => {
  const server = await startApp({ folder: data });
  await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/' } });
  await server.close();
  expect(await run('check')).toMatchObject({ code: 0, out: expect.arrayContaining(['lists      ok']) });
  const database = connect(join(data, 'waypost.sqlite'), 'FULL');
  database.prepare('UPDATE link_counts SET live = 7').run();
  database.close();
  expect(await run('check')).toMatchObject({
    code: 1,
    out: expect.arrayContaining(['lists      account 1 is counted with 7 links and has 1']),
  });
});

test('an export is imported again unchanged, in any time zone', { tags: 'long' }, async () => {
  const server = await startApp({ folder: data });
  const texts = ['-dash', '=1+1', '@home', "'-quoted"];
  for (const [index, text] of texts.entries()) {
    const custom = index === 0 ? text : `alias${index}`;
    const body = { url: `https://example.com/${index}`, custom, title: text, note: `${text}\nand more` };
    expect((await server.request('POST', '/api/url/add', { body })).status).toBe(200);
  }
  await server.close();
  const target = join(base, 'other');
  await (await startApp({ folder: target, timezone: 'Asia/Tokyo' })).close();

  const file = join(base, 'links.csv');
  expect((await run('export', '--user', 'anna', '--to', file)).code).toBe(0);
  expect(await runOn(target, 'import', file, '--user', 'anna')).toMatchObject({ code: 0, out: ['create 4'] });
  const [before, after] = [await exportedFrom(data), await exportedFrom(target)];
  expect(before.map(({ title }) => title)).toEqual(texts);
  expect(after).toEqual(before);
});

test('an export by the command has all settings of a link', async () => {
  const server = await startApp({ folder: data });
  await server.request('PUT', '/api/account/update', { body: { timezone: 'Asia/Tokyo' } });
  const channel = (await server.request('POST', '/api/channel/add', { body: { name: 'one, two' } })).body.id;
  const links = [
    { custom: 'ended', expiry: '2027-02-01 10:00:00', redirect: 307, channel },
    { custom: 'hidden', archived: true },
    { custom: 'ruled', devicetarget: [{ device: 'iPhone', link: 'https://example.com/iphone' }] },
    { custom: 'secret', password: 'open sesame' },
  ];
  for (const link of links) {
    const body = { url: `https://example.com/${link.custom}`, ...link };
    expect((await server.request('POST', '/api/url/add', { body })).status).toBe(200);
  }
  await server.close();
  const target = join(base, 'other');
  await (await startApp({ folder: target })).close();
  const file = join(base, 'links.csv');
  expect((await run('export', '--user', 'anna', '--to', file)).code).toBe(0);
  const { code, err } = await runOn(target, 'import', file, '--user', 'anna');
  expect([code, err]).toEqual([
    0,
    [
      expect.stringMatching(/^Columns that are not imported: /),
      'line 5: This link had a password, which no file contains. It is archived until you set one.',
    ],
  ]);

  const copy = await startApp({ folder: target, clock: server.clock });
  const answers = await Promise.all(
    links.map(async ({ custom }) => (await visit(copy, `/${custom}`, { agent: 'iphone' })).status),
  );
  expect(answers).toEqual([307, 410, 302, 410]);
  const { urls } = (await copy.request('GET', '/api/urls?short=ended')).body.data;
  expect(urls[0].expiry).toBe('2027-02-01 01:00:00');
  const { channels } = (await copy.request('GET', '/api/channels')).body.data;
  expect(channels.map(({ name }: { name: string }) => name)).toEqual(['one, two']);
  await copy.close();
});

test('an import describes what is wrong with a row, and where rows of other domains go', async () => {
  await stoppedInstance();
  const file = join(base, 'theirs.csv');
  writeFileSync(file, 'url,alias,domain\nhttps://example.com/a,a,bit.ly\n,b,\n"https://example.com/c,c,\n');
  const first = await run('import', file, '--user', 'anna');
  expect(first).toEqual({
    code: 1,
    out: ['problem 3'],
    err: [
      'line 3: This row has no URL.',
      'line 4: A quote that begins here is never closed, so the rest of the file cannot be read.',
      'line 2: bit.ly is not a domain of anna.',
      'Rows on domains that the account does not have were left out. --other-domain imports them to another.',
    ],
  });
  const wrong = await run('import', file, '--user', 'anna', '--other-domain', 'go.example.com');
  expect(wrong).toEqual({
    code: 1,
    out: [],
    err: ['--other-domain: go.example.com is neither a domain of anna nor the URL of this instance.'],
  });
  const options = ['--port', '9000', '--other-domain', 'http://localhost:9000'];
  const taken = await run('import', file, '--user', 'anna', ...options);
  expect(taken.out).toEqual(['problem 2', 'create 1']);
  const server = await startApp({ folder: data });
  expect((await visit(server, '/a')).location).toBe('https://example.com/a');
  await server.close();
});

test('terminal codes in a file are shown as text: columns, domains and line breaks in their names', async () => {
  await stoppedInstance();
  const file = join(base, 'hostile.csv');
  const clear = '\x1b]0;owned\x07\x1b[2J';
  const names = [`x${clear}y`, 'line\nline 9: All is well.', 'z'.repeat(1_000_000)];
  const head = ['url', 'domain', ...names, ...Array.from({ length: 100 }, (_, index) => `more${index}`)];
  const quoted = head.map((name) => `"${name}"`).join(',');
  writeFileSync(
    file,
    `${quoted}\nhttps://example.com/,${clear}.example\nhttps://example.com/,"a\nb.example"\n`,
  );
  const { code, err } = await run('import', file, '--user', 'anna');
  expect(code).toBe(1);
  expect(err.join('')).not.toMatch(/[\p{Cc}]/u);
  expect(err[0]).toMatch(
    /^Columns that are not imported: x .*, line line 9: All is well., z{100}, more0, .* and 53 more$/,
  );
  expect(err[1]).toMatch(/^line \d+: .*owned.*\.example is not a domain of anna\.$/);
  const hostile = await run('user', 'password', `ann${clear}`);
  expect(hostile.err.join('')).not.toMatch(/[\p{Cc}]/u);
  expect(hostile.err.join('')).toContain('\uFFFD');
});

test('short URLs in an export are those of a server started with the same options', async () => {
  const server = await startApp({ folder: data });
  await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', custom: 'spring' } });
  await server.close();
  const shortOf = async (...options: string[]) => (await exportedFrom(data, ...options))[0]?.shorturl;
  expect(await shortOf('--port', '9000')).toBe('http://localhost:9000/spring');
  expect(await shortOf('--base-url', 'https://go.example.com')).toBe('https://go.example.com/spring');
  expect((await run('export', '--user', 'anna', '--port', 'x')).code).toBe(2);
});

test('an export overwrites no file, and leaves none behind when it fails', async () => {
  await stoppedInstance();
  const file = join(base, 'links.csv');
  expect((await run('export', '--user', 'nobody', '--to', file)).code).toBe(1);
  expect(readdirSync(base)).toEqual(['data']);
  // Where others may write, too, they can guess the name that it has until it is done.
  writeFileSync(join(base, 'theirs'), 'theirs');
  symlinkSync(join(base, 'theirs'), `${file}.partial`);
  expect((await run('export', '--user', 'anna', '--to', file)).code).toBe(0);
  expect(lstatSync(file).isFile()).toBe(true);
  expect(readFileSync(join(base, 'theirs'), 'utf8')).toBe('theirs');
  writeFileSync(file, 'mine');
  const refused = await run('export', '--user', 'anna', '--to', file);
  expect([refused.code, refused.err]).toEqual([1, [`${file} is there already.`]]);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

async function exportedFrom(folder: string, ...options: string[]): Promise<Record<string, unknown>[]> {
  const file = join(base, 'links.json');
  await runOn(folder, 'export', '--user', 'anna', '--format', 'json', '--to', file, ...options);
  const links = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[];
  rmSync(file);
  return links.map(({ id: _id, ...link }) => link);
}

test('the primary key cannot be revoked, and invalid expiry times are refused', async () => {
  await stoppedInstance();
  const primary = (await run('key', 'list')).out.find((line) => line.includes('primary')) ?? '';
  const refused = await run('key', 'revoke', primary.split(' ')[0] ?? '');
  expect([refused.code, refused.err]).toEqual([1, [expect.stringContaining('primary key')]]);
  expect((await run('key', 'revoke', '99')).err).toEqual(['API key 99 not found.']);
  const key = ['key', 'add', '--user', 'anna', '--name', 'Reader', '--expires'] as const;
  expect((await run(...key, 'soon')).code).toBe(2);
  expect((await run(...key, '2001-01-01')).code).toBe(2);
});

test("an engine's secrets are not printed, and its files are readable by one user only", async () => {
  const printed = await runAs('fleet', 'config');
  expect(printed.code).toBe(0);
  expect(printed.out.join('\n')).toContain('operator: OPERATOR-JWT');
  expect([...printed.out, ...printed.err].join('\n')).not.toMatch(/\bS[OAU][A-Z2-7]{56}/);
  const out = join(base, 'engine-keys');
  const written = await runAs('fleet', 'config', '--out', out);
  expect([...written.out, ...written.err].join('\n')).not.toMatch(/\bS[OAU][A-Z2-7]{56}/);
  for (const name of readdirSync(out)) expect(lstatSync(join(out, name)).mode & 0o777, name).toBe(0o600);
  expect(readFileSync(join(out, 'nats.conf'), 'utf8')).not.toMatch(/\bS[OAU][A-Z2-7]{56}/);
});

test('a configuration for three engines is written completely or not at all', async () => {
  const out = join(base, 'engine');
  const terminal = { print() {}, remark() {} };
  const options = ['--servers', '3', '--host', 'one,two,three', '--out', out];
  const config = () => runCommand('fleet', ['config', ...options], commandApp, terminal);
  mkdirSync(out);
  writeFileSync(join(out, 'nats-3.conf'), 'mine');
  expect(await config()).toBe(1);
  expect(readdirSync(out)).toEqual(['nats-3.conf']);
  rmSync(join(out, 'nats-3.conf'));
  expect(await config()).toBe(0);
  expect(readdirSync(out).sort()).toEqual([
    ...['nats-1.conf', 'nats-2.conf', 'nats-3.conf'],
    ...['operator.key', 'origin.creds', 'signing.key'],
  ]);
});
