// `npm run dev` on a machine without a window: the server alone, built from a copy of the sources and started anew
// after each change, and its pages from Vite.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../build/free-port.ts';
import { isAlive } from '../support/desktop-flow.ts';
import { type SourceCopy, sourceCopy } from '../support/source-copy.ts';

/** A build beside the other tests of a slow machine. Milliseconds. */
const polling = { timeout: 90_000, interval: 100 };

vi.setConfig({ testTimeout: 240_000 });

let sources: SourceCopy;
let dev: ChildProcess;
let output = '';

beforeEach((context) => {
  context.skip(process.platform !== 'linux', 'processes are found in the files of Linux');
  sources = sourceCopy();
  output = '';
});
afterEach(async () => {
  if (!sources) return;
  if (dev?.exitCode === null && dev.signalCode === null) {
    dev.kill('SIGTERM');
    await once(dev, 'exit');
  }
  for (const { pid } of sources.processes()) process.kill(pid, 'SIGKILL');
  sources.remove();
});

test('the server restarts after each change, and exits with the command', { tags: 'long' }, async ({
  onTestFailed,
}) => {
  onTestFailed(() => void process.stdout.write(`${output}\n`));
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  start(port);

  // Another program has the port: the command says so and waits, where it would otherwise seem to run.
  await expect
    .poll(() => output, polling)
    .toContain(`Port ${port} on 127.0.0.1 is in use by another program.`);
  await expect.poll(() => output).toContain('Save a change to start it again.');
  other.close();
  await once(other, 'close');
  change('{}', "{ edited: 'once' }");
  await expect.poll(() => health(`http://127.0.0.1:${port}`), polling).toMatchObject({ edited: 'once' });

  // A browser gets the pages from Vite, and with them the API.
  const pages = /its pages at (http:\S+)\/admin\//.exec(output)?.[1] ?? '';
  expect(await (await fetch(`${pages}/admin/`)).text()).toContain('/@vite/client');
  expect(await health(pages)).toMatchObject({ edited: 'once' });

  // The command is ended while a server is on its way out and the next one is due.
  const [server] = serverPids();
  process.kill(server as number, 'SIGSTOP');
  change("'once'", "'twice'");
  await expect.poll(() => isAskedToEnd(server as number), polling).toBe(true);
  dev.kill('SIGTERM');
  process.kill(server as number, 'SIGCONT');
  await once(dev, 'exit');
  expect(dev.exitCode).toBe(0);
  await expect.poll(() => sources.processes()).toEqual([]);
  expect(isAlive(server as number)).toBe(false);
});

test('if Electron exists but cannot run, the pages are served to a browser', { tags: 'long' }, async ({
  onTestFailed,
}) => {
  onTestFailed(() => void process.stdout.write(`${output}\n`));
  // As it ends without a sandbox that it could use: by a signal, before any of our code runs.
  const dist = join(sources.folder, 'runtime');
  mkdirSync(dist);
  writeFileSync(join(dist, 'electron'), '#!/bin/sh\nulimit -c 0\nkill -TRAP $$\n', { mode: 0o755 });
  const port = await freePort();
  start(port, { DISPLAY: ':none', ELECTRON_OVERRIDE_DIST_PATH: dist });
  await expect
    .poll(() => output, polling)
    .toContain('No window, because Electron cannot run on this machine');
  await expect.poll(() => health(`http://127.0.0.1:${port}`), polling).toMatchObject({ error: 0 });
  const pages = /its pages at (http:\S+)\/admin\//.exec(output)?.[1] ?? '';
  expect(await (await fetch(`${pages}/admin/`)).text()).toContain('/@vite/client');
  expect(await health(pages)).toMatchObject({ error: 0 });
  dev.kill('SIGTERM');
  await once(dev, 'exit');
  expect(dev.exitCode).toBe(0);
  await expect.poll(() => sources.processes()).toEqual([]);
});

test('an Electron that exits badly when asked to is not a reason to serve the pages', {
  tags: 'long',
}, async ({ onTestFailed }) => {
  onTestFailed(() => void process.stdout.write(`${output}\n`));
  const dist = join(sources.folder, 'runtime');
  mkdirSync(dist);
  const electron = '#!/bin/sh\ntrap "exit 134" TERM\n: > "$0.begun"\nwhile :; do sleep 0.05; done\n';
  writeFileSync(join(dist, 'electron'), electron, { mode: 0o755 });
  start(await freePort(), { DISPLAY: ':none', ELECTRON_OVERRIDE_DIST_PATH: dist });
  await expect.poll(() => existsSync(join(dist, 'electron.begun')), polling).toBe(true);
  dev.kill('SIGTERM');
  await expect.poll(() => dev.exitCode ?? output.includes('No window'), polling).toBe(134);
  await expect.poll(() => sources.processes()).toEqual([]);
});

/** The command, where no window can be shown unless the environment says otherwise. */
function start(port: number, env: NodeJS.ProcessEnv = {}): void {
  const data = join(sources.folder, 'data');
  dev = spawn(process.execPath, [join(sources.path, 'build/dev.ts'), '--port', `${port}`, '--data', data], {
    cwd: sources.path,
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [dev.stdout, dev.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
}

/** Saves a change of what the server says of its health. */
function change(from: string, to: string): void {
  sources.edit(
    'server/operations/instance/routes.ts',
    `route(getHealth, () => (${from.startsWith('{') ? from : `{ edited: ${from} }`}))`,
    `route(getHealth, () => (${to.startsWith('{') ? to : `{ edited: ${to} }`}))`,
  );
}

async function health(origin: string): Promise<unknown> {
  try {
    return await (await fetch(`${origin}/api/health`)).json();
  } catch {
    // Nobody listens yet.
    return undefined;
  }
}

function serverPids(): number[] {
  return sources
    .processes()
    .filter(({ command }) => command.includes('out/main/server.js'))
    .map(({ pid }) => pid);
}

/** Whether SIGTERM waits for a process that is stopped (proc(5), "ShdPnd"). */
function isAskedToEnd(pid: number): boolean {
  const pending = /^ShdPnd:\s*(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${pending}`) & 0x4000n) !== 0n;
}
