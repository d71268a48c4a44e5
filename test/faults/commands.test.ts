import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../server/operations/commands/run.ts';
import { commandApp } from '../../server/start.ts';
import { startApp } from '../support/app.ts';
import { testClock } from '../support/clock.ts';
import { runProgram } from '../support/spawned-command.ts';
import { setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { upload } from '../support/uploads.ts';

const program = join(import.meta.dirname, '../../out/main/server.js');
let base = '';
let data = '';
let server: { origin: string; kill(): Promise<void> } | undefined;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'waypost-commands-'));
  data = join(base, 'data');
});
afterEach(async () => {
  await server?.kill();
  server = undefined;
  rmSync(base, { recursive: true, force: true });
});

/**
 * Runs a command in this process, in a third of the time that a process of its own takes. Each command is run as a
 * process at least once, and wherever a server runs meanwhile.
 */
async function runHere(name: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runCommand(name, args, commandApp, {
    print(line) {
      out += `${line}\n`;
    },
    remark(line) {
      err += `${line}\n`;
    },
  });
  return { code, out, err };
}

/** A server in this process on what the commands left. */
async function startHere(folder: string): Promise<{ origin: string; kill(): Promise<void> }> {
  const { origin, close } = await startApp({ folder, fresh: true, clock: testClock(Date.now()) });
  return { origin, kill: close };
}

function inBase(name: string, content: string): string {
  const path = join(base, name);
  writeFileSync(path, content);
  return path;
}

const signIn = (login: string, password: string) =>
  fetch(`${server?.origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password }),
  });

test('accounts and keys are created, listed, changed and removed from the command line', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const password = inBase('password', 'correct horse\n');
  const added = await runProgram(
    'user',
    'add',
    'anna',
    '--email',
    'anna@example.com',
    '--admin',
    '--password-file',
    password,
    '--data',
    data,
  );
  expect(added).toMatchObject({ code: 0, out: expect.stringContaining('Account anna') });
  const made = await runHere('user', 'add', 'bert', '--email', 'bert@example.com', '--data', data);
  const [, secret = ''] = /Password: (\S+)/.exec(made.out) ?? [];
  expect((await runHere('user', 'add', 'bert', '--email', 'b@example.com', '--data', data)).code).toBe(1);
  const key = await runProgram(
    'key',
    'add',
    '--user',
    'anna',
    '--name',
    'Reader',
    '--scopes',
    'links:read',
    '--data',
    data,
  );
  expect(key.out).toMatch(/^wp_[\w-]{43}\n$/);

  const running = await spawnServer(data);
  server = running;
  expect((await signIn('anna', 'correct horse')).status).toBe(200);
  expect((await signIn('bert', secret)).status).toBe(200);
  const authorization = { authorization: `Bearer ${key.out.trim()}` };
  expect((await fetch(`${server.origin}/api/urls`, { headers: authorization })).status).toBe(200);
  expect((await fetch(`${server.origin}/api/account`, { headers: authorization })).status).toBe(403);
  const listed = await runHere('user', 'list', '--data', data);
  expect([listed.code, listed.out]).toEqual([
    0,
    expect.stringMatching(/1\s+anna\s+anna@example.com\s+admin/),
  ]);
  // A change behind the back of the server would not be noticed by it.
  const refused = await runProgram('user', 'password', 'bert', '--data', data);
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining(data)]);
  await running.stop();

  const keys = await runHere('key', 'list', '--user', 'anna', '--data', data);
  const [, id = ''] = /^(\d+) .*Reader$/m.exec(keys.out) ?? [];
  expect((await runHere('key', 'revoke', id, '--data', data)).code).toBe(0);
  expect((await runHere('key', 'revoke', id, '--data', data)).code).toBe(1);
  expect((await runHere('user', 'password', 'bert', '--password-file', password, '--data', data)).code).toBe(
    0,
  );
  expect((await runHere('user', 'admin', 'bert', '--data', data)).code).toBe(0);
  expect((await runHere('user', 'reset-2fa', 'bert', '--data', data)).code).toBe(0);
  expect((await runHere('user', 'remove', 'anna', '--data', data)).code).toBe(2);
  expect((await runHere('user', 'remove', 'anna', '--yes', '--data', data)).code).toBe(0);
  expect((await runHere('user', 'admin', 'bert', '--off', '--data', data)).err).toContain(
    'last administrator',
  );
  server = await startHere(data);
  expect((await signIn('anna', 'correct horse')).status).toBe(401);
  expect((await signIn('bert', 'correct horse')).status).toBe(200);
  expect((await fetch(`${server.origin}/api/urls`, { headers: authorization })).status).toBe(401);
});

test('a backup of a running server restores to an empty folder, with and without the passphrase', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const running = await spawnServer(data);
  server = running;
  const key = await setUpAccount(running);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  await fetch(`${server.origin}/api/url/add`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ url: 'https://example.com/spring', custom: 'spring' }),
  });
  const passphrase = inBase('passphrase', 'seven wet otters\n');
  const file = join(base, 'away', 'copy.tar.gz');
  const made = await runProgram('backup', '--data', data, '--to', file, '--passphrase-file', passphrase);
  expect(made).toMatchObject({ code: 0, out: `${file}\n` });
  expect((await runHere('backup', '--data', data, '--to', file)).code).toBe(1);
  expect((await runProgram('restore', file, '--data', data)).code).toBe(3);
  await running.stop();

  const target = join(base, 'other');
  const sealed = await runHere('restore', file, '--data', target);
  expect([sealed.code, sealed.err]).toEqual([1, expect.stringContaining('--passphrase-file')]);
  const wrong = await runHere(
    'restore',
    file,
    '--data',
    target,
    '--passphrase-file',
    inBase('wrong', 'nope'),
  );
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('Wrong backup passphrase')]);
  expect(existsSync(join(target, 'waypost.sqlite'))).toBe(false);
  expect((await runProgram('restore', file, '--data', target, '--passphrase-file', passphrase)).code).toBe(0);
  expect(readFileSync(join(target, 'vault.key'), 'utf8')).toBe(readFileSync(join(data, 'vault.key'), 'utf8'));
  expect((await runHere('restore', file, '--data', join(base, 'third'), '--without-keys')).code).toBe(0);

  server = await startHere(target);
  const reply = await fetch(`${server.origin}/spring`, { redirect: 'manual' });
  expect(reply.headers.get('location')).toBe('https://example.com/spring');
  expect((await fetch(`${server.origin}/api/account`, { headers })).status).toBe(200);
});

test('a damaged database exits with 78 and names the newest good backup, which restores it', async () => {
  const running = await startApp({ folder: data, clock: testClock(Date.now()) });
  const made = await runHere('backup', '--data', data);
  const path = made.out.trim();
  await running.close();
  expect((await runHere('check', '--data', data)).code).toBe(0);
  writeFileSync(join(data, 'waypost.sqlite'), 'x'.repeat(20_000));
  const refused = await runProgram('serve', '--port', '0', '--data', data);
  expect([refused.code, refused.err]).toEqual([78, expect.stringContaining(path)]);
  expect((await runHere('check', '--data', data)).code).toBe(78);
  const restored = await runHere('restore', path, '--data', data);
  expect(restored.code).toBe(0);
  // The damaged file is kept aside.
  expect(readFileSync(join(data, 'restore', 'replaced', 'waypost.sqlite'), 'utf8')).toContain('xxxx');
  expect((await runHere('check', '--data', data)).code).toBe(0);
  server = await startHere(data);
  expect((await signIn('anna', 'correct horse')).status).toBe(200);
}, 120_000);

test('check finds lost contents, and lists everything else', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const running = await startApp({ folder: data });
  await upload(running, 'what it says', {}, 'report.txt');
  await running.close();
  const whole = await runHere('check', '--data', data);
  expect([whole.code, whole.out]).toEqual([0, expect.stringContaining('contents   ok: 1 files')]);
  const [content = ''] = readdirSync(join(data, 'files')).filter((name) => name !== 'tmp');
  rmSync(join(data, 'files', content));
  const lost = await runProgram('check', '--data', data);
  expect([lost.code, lost.out]).toEqual([1, expect.stringContaining(`files/${content} is missing`)]);
  // Whoever reads it may have seen enough.
  const piped = spawn('sh', [
    '-c',
    '"$@" | head -n 0',
    '-',
    process.execPath,
    program,
    'check',
    '--data',
    data,
  ]);
  let said = '';
  piped.stderr.on('data', (chunk) => {
    said += chunk;
  });
  await once(piped, 'close');
  expect(said).toBe('');
  // A backup is still made, and says what is lost already.
  const made = await runHere('backup', '--data', data);
  expect([made.code, made.err]).toEqual([1, expect.stringContaining(`files/${content}`)]);
  expect(existsSync(made.out.trim())).toBe(true);
});

test('links are exported as CSV and JSON, and imported again', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  await runHere('user', 'add', 'anna', '--email', 'anna@example.com', '--admin', '--data', data);
  const csv = inBase(
    'links.csv',
    'Long URL,Short Code,Title,Tags\nhttps://example.com/a,spring,"A, title",x|y\nhttps://example.com/b,summer,,\nnonsense,third,,\nhttps://example.com/c,,,\n',
  );
  const dry = await runHere('import', csv, '--user', 'anna', '--dry-run', '--data', data);
  expect([dry.code, dry.out]).toEqual([1, expect.stringContaining('create 3')]);
  const imported = await runProgram('import', csv, '--user', 'anna', '--data', data);
  expect(imported).toMatchObject({
    code: 1,
    out: expect.stringMatching(/create 3\nproblem 1|problem 1\ncreate 3/),
    err: expect.stringContaining('line 4'),
  });
  expect((await runHere('import', csv, '--user', 'anna', '--data', data)).out).toContain('exists 3');
  const file = join(base, 'out.csv');
  expect((await runHere('export', '--user', 'anna', '--to', file, '--data', data)).out).toContain('3 links');
  expect(readFileSync(file, 'utf8')).toContain('"spring","","https://example.com/a","A, title"');
  const json = await runProgram('export', '--user', 'anna', '--format', 'json', '--data', data);
  expect(JSON.parse(json.out)).toMatchObject([
    { alias: 'spring', longurl: 'https://example.com/a', title: 'A, title', channels: ['x', 'y'] },
    { alias: 'summer' },
    { longurl: 'https://example.com/c' },
  ]);
  const other = join(base, 'other');
  await runHere('user', 'add', 'bert', '--email', 'bert@example.com', '--data', other);
  expect(await runHere('import', file, '--user', 'bert', '--data', other)).toMatchObject({
    code: 0,
    out: 'create 3\n',
  });
});

test.each(['backup', 'restore', 'check', 'user', 'key', 'import', 'export'])(
  '%s explains itself and rejects unknown arguments',
  async (name) => {
    expect(await runHere(name, '--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`waypost ${name}`),
    });
    expect((await runHere(name, '--nonsense')).code).toBe(2);
    if (['user', 'key'].includes(name)) expect((await runHere(name, 'constructor', 'x')).code).toBe(2);
    mkdirSync(data);
    if (['backup', 'check'].includes(name)) expect((await runHere(name, '--data', data)).code).toBe(1);
  },
);
