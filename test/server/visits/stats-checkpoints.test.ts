import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkpoints } from '../../../server/platform/database/checkpoints.ts';
import { type Connection, connect, openReader } from '../../../server/platform/database/connect.ts';

let folder: string;
let connection: Connection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-checkpoints-'));
  connection = connect(join(folder, 'test.sqlite'), 'NORMAL');
  connection.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const state = () =>
  connection.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)').get() ?? {
    log: 0,
    checkpointed: 0,
  };

function write(pages: number): void {
  const insert = connection.prepare('INSERT INTO rows (text) VALUES (?)');
  for (let page = 0; page < pages; page += 1) insert.run('x'.repeat(4000));
}

test('a long log is checkpointed by the thread, and restarts', async () => {
  const background = checkpoints(connection);
  write(1500);
  // No commit has written back by itself.
  expect(state().checkpointed).toBe(0);
  background.consider();
  await expect.poll(() => state().log - state().checkpointed, { timeout: 10_000 }).toBe(0);
  write(1);
  expect(state().log).toBeLessThan(100);
  await background.close();
});

test('commits continue during a checkpoint', async () => {
  const background = checkpoints(connection);
  write(1500);
  for (let round = 0; round < 50; round += 1) {
    background.consider();
    write(20);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await background.close();
  const reader = openReader(join(folder, 'test.sqlite'));
  expect(reader.prepare('SELECT count(*) AS rows FROM rows').get()).toEqual({ rows: 2500 });
  expect(reader.pragma('integrity_check', { simple: true })).toBe('ok');
  reader.close();
});

test('a short log is left alone', async () => {
  const background = checkpoints(connection);
  write(100);
  background.consider();
  await background.close();
  expect(state().checkpointed).toBe(0);
});

test('a log that commits keep from finishing restarts, since they wait a moment for that', async () => {
  const background = checkpoints(connection, { endingMs: 60_000 });
  let longest = 0;
  // Always one more to commit, as redirects have.
  for (let written = 0; written < 20_000; ) {
    if (!background.isBehind() && !background.isEnding()) {
      write(50);
      written += 50;
    }
    background.consider();
    longest = Math.max(longest, state().log);
    // As often as redirects commit: written as fast as can be, all of it would be there before the thread's first round
    // ends.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(longest).toBeLessThan(15_000);
  await background.close();
}, 60_000);

test('a long log restarts although something was committed during its checkpoint', async () => {
  const background = checkpoints(connection, { endingMs: 60_000 });
  write(9_000);
  background.consider();
  const waiting = () => state().log - state().checkpointed;
  // Without a turn of the event loop, so that the thread ends before this connection hears of it.
  const clock = new Int32Array(new SharedArrayBuffer(4));
  while (state().checkpointed < 9_000) {
    write(1);
    Atomics.wait(clock, 0, 0, 1);
  }
  write(1);
  expect(waiting()).toBeGreaterThan(0);
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  write(1);
  expect(state().log).toBeLessThan(100);
  await background.close();
});
