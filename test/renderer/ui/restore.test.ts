import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../../renderer/api/failure.ts';
import { followRestore, type RestoreStep } from '../../../renderer/operations/backup/follow-restore.ts';
import type { BackupFailure, BackupTask } from '../../../server/contract/backups.ts';

type Look = { running: BackupTask | null; failure: BackupFailure | null } | ApiFailure;

const running = (phase: BackupTask['phase'], progress: number): Look => ({
  running: { id: 5, task: 'restore', phase, progress, started: '2026-11-21 10:00:00' },
  failure: null,
});
const refused = (status: number, kind: 'refused' | 'malformed' | 'unauthorized' | 'limited' = 'refused') =>
  new ApiFailure(kind, 'No.', { status });
const away = new ApiFailure('unreachable', 'The server is not responding.');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Follows a restore whose server answers like this, one look after the other. */
async function follow(looks: Look[], signal = new AbortController().signal) {
  const steps: string[] = [];
  const read = vi.fn(async () => {
    const look = looks.shift();
    if (!look) throw new Error('it was looked at too often');
    if (look instanceof ApiFailure) throw look;
    return look;
  });
  const onStep = ({ phase, progress }: RestoreStep) => steps.push(`${phase} ${progress}`);
  const end = followRestore({ read, onStep, every: 700, signal });
  await vi.runAllTimersAsync();
  return { end: await end, steps, looksLeft: looks.length };
}

test('a restore is followed through the restart until the server responds as another instance', async () => {
  for (const end of [refused(401, 'unauthorized'), refused(404), { running: null, failure: null }]) {
    const looks = [running('unpacking', 0.5), running('saving', 1), running('restarting', 0), away, end];
    expect(await follow(looks)).toEqual({
      end: { outcome: 'restored' },
      steps: ['unpacking 0.5', 'saving 1', 'restarting 0', 'restarting 0'],
      looksLeft: 0,
    });
  }
});

test('a restore has also succeeded if it signs its user out', async () => {
  const stop = new AbortController();
  const end = await followRestore({
    read: async () => {
      stop.abort();
      throw refused(401, 'unauthorized');
    },
    onStep: () => {},
    every: 700,
    signal: stop.signal,
  });
  expect(end).toEqual({ outcome: 'restored' });
});

test("a proxy's reply for a restarting server, and a rate limit, do not end the waiting", async () => {
  const { end, steps } = await follow([
    refused(502, 'malformed'),
    refused(503),
    refused(429, 'limited'),
    refused(404),
  ]);
  expect(end).toEqual({ outcome: 'restored' });
  expect(steps).toEqual(['restarting 0', 'restarting 0']);
});

test("a failure is reported in the server's words", async () => {
  const failure: BackupFailure = {
    id: 5,
    task: 'restore',
    code: 'backup_damaged',
    message: 'This backup is damaged.',
    at: '2026-11-21 10:00:00',
  };
  const { end } = await follow([running('unpacking', 0.2), { running: null, failure }]);
  expect(end).toEqual({ outcome: 'failed', why: 'This backup is damaged.' });
});

test('a cancelled restore is not mistaken for a finished one', async () => {
  const stop = new AbortController();
  const looking = followRestore({
    read: async () => {
      stop.abort();
      return { running: null, failure: null };
    },
    onStep: () => {},
    every: 700,
    signal: stop.signal,
  });
  expect(await looking).toEqual({ outcome: 'left' });
});
