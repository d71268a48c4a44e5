import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-closed-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Fails twice at once when told to. */
const failing = "process.on('SIGUSR2', () => { Promise.reject('one'); Promise.reject('two'); })";

test('a server that fails twice exits, even if nobody reads its log any more (F-15)', async () => {
  const program = join(import.meta.dirname, '../../out/main/server.js');
  const child = spawn(
    process.execPath,
    [
      '--import',
      join(import.meta.dirname, '../support/end-with-parent.mjs'),
      '--import',
      `data:text/javascript,${encodeURIComponent(failing)}`,
      program,
      'serve',
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--data',
      folder,
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('ready at')) resolve();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('ready at')) resolve();
    });
  });
  child.stderr.destroy();
  child.kill('SIGUSR2');
  expect(await ended).toBe(1);
}, 60_000);
