import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logDestination } from '../../../server/platform/log-destination.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('lines are written immediately', () => {
  const file = join(folder, 'log');
  const descriptor = openSync(file, 'w');
  const log = logDestination(descriptor);
  log.write('one\n');
  log.write('zwei: ä\n');
  expect(readFileSync(file, 'utf8')).toBe('one\nzwei: ä\n');
  closeSync(descriptor);
});

test('a closed log stops nobody', () => {
  const descriptor = openSync(join(folder, 'log'), 'w');
  closeSync(descriptor);
  expect(() => logDestination(descriptor).write('one\n')).not.toThrow();
});

test('a pipe that nobody reads, or holds any more, stops nobody', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Readable and writable, so that opening waits for nobody; what is written past the size of the pipe is refused.
  const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const log = logDestination(descriptor);
  for (let count = 0; count < 30; count += 1) log.write(`${'x'.repeat(9_999)}\n`);
  closeSync(descriptor);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  closeSync(reader);
  // EPIPE.
  expect(() => logDestination(writer).write('one\n')).not.toThrow();
  closeSync(writer);
});
