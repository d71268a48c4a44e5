import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { some } from '../support/trials.ts';

const bundle = join(import.meta.dirname, '../../out/main/server.js');
let folder = '';
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-command-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [bundle, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', () => {
      const address = /http:\/\/localhost:(\d+)\/admin\//.exec(said.out)?.[0];
      if (address) resolve(address);
    });
  });
  return { child, said, ended, ready };
}

const serve = (...more: string[]) =>
  start('serve', '--port', '0', '--host', '127.0.0.1', '--data', folder, ...more);

test('the server prints its address, and exits with 0 on SIGTERM', async () => {
  const server = serve();
  const address = await server.ready;
  expect((await fetch(new URL('/api/health', address))).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('a second server on the same data folder exits with 3 and names the folder', async () => {
  await serve().ready;
  const second = serve();
  expect(await second.ended).toBe(3);
  expect(second.said.err).toContain(folder);
});

test('a port in use makes it exit with 4 and a message that names the port', { tags: 'long' }, async () => {
  const stranger = createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const address = stranger.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const server = start('serve', '--port', port, '--host', '127.0.0.1', '--data', folder);
  expect(await server.ended).toBe(4);
  expect(server.said.err).toContain(port);
  stranger.close();
});

const damages: [string, (file: string) => void][] = [
  ['is garbage', (file) => writeFileSync(file, 'x'.repeat(8192))],
  ['is empty', (file) => truncateSync(file, 0)],
];

test.each(some(damages, { from: 0, short: 1 }))(
  'a database that %s makes it exit with 78, and nothing is overwritten',
  async (_, damage) => {
    const first = serve();
    await first.ready;
    first.child.kill('SIGTERM');
    await first.ended;
    damage(join(folder, 'waypost.sqlite'));
    const second = serve();
    expect(await second.ended).toBe(78);
    expect(second.said.err).toMatch(/backup/i);
  },
);

const wrongOptions: [string, string][] = [
  ['--port', 'eight'],
  ['--geo-database', 'package.json'],
];

test.each(some(wrongOptions, { from: 0, short: 1 }))(
  'invalid options make it exit with 2 and the name of the option: %s %s',
  async (option, value) => {
    const wrong = start('serve', option, value, '--data', folder);
    expect(await wrong.ended).toBe(2);
    expect(wrong.said.err).toContain(option);
  },
);

test('--help lists the options', async () => {
  const help = start('--help');
  expect(await help.ended).toBe(0);
  expect(help.said.out).toMatch(/--port[\s\S]*--data/);
});

test('the example data is created once, and one can sign in to it', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const seed = start('seed', '--data', folder);
  expect(await seed.ended).toBe(0);
  expect(seed.said.out).toContain('500 links and 50000 clicks');
  const again = start('seed', '--data', folder);
  expect(await again.ended).toBe(1);
  expect(again.said.err).toContain('already holds data');
  const [, password] = /password (\S+)/.exec(seed.said.out) ?? [];
  const address = await serve().ready;
  const reply = await fetch(new URL('/api/auth/login', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'dana', password }),
  });
  expect(reply.status).toBe(200);
});
