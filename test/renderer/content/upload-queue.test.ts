import { describe, expect, it, vi } from 'vitest';
import { ApiFailure } from '../../../renderer/api/failure.ts';
import { uploadQueue } from '../../../renderer/content/files/upload-queue.ts';

const file = (name: string) => new File(['content'], name);
const made = { id: 7, shorturl: 'https://example.com/abc' };

function queueOver(send: (file: File, signal: AbortSignal) => Promise<typeof made>) {
  const onDone = vi.fn();
  const queue = uploadQueue({
    sender: () => (sent, _query, onProgress, signal) => {
      onProgress(0.5);
      return send(sent, signal);
    },
    scope: () => 'local',
    onDone,
    unknown: () => 'Something went wrong.',
  });
  return { queue, onDone, states: () => queue.uploads.map(({ state }) => state) };
}

describe('the queue of uploads', () => {
  it('sends one file after another', async () => {
    const ends: (() => void)[] = [];
    const { queue, states, onDone } = queueOver(
      () => new Promise((resolve) => ends.push(() => resolve(made))),
    );
    queue.add([file('a'), file('b')]);
    expect(states()).toEqual(['sending', 'waiting']);
    ends[0]?.();
    await expect.poll(() => states()).toEqual(['done', 'sending']);
    ends[1]?.();
    await expect.poll(() => states()).toEqual(['done', 'done']);
    expect(onDone).toHaveBeenCalledTimes(2);
    expect(queue.isBusy.value).toBe(false);
  });

  it('uploads to the account in which a file was added, and shows each account its own', async () => {
    let account = 'local';
    const ends: (() => void)[] = [];
    const sent: string[] = [];
    const queue = uploadQueue({
      sender: () => {
        const to = account;
        return () => {
          sent.push(to);
          return new Promise((resolve) => ends.push(() => resolve(made)));
        };
      },
      scope: () => account,
      onDone: () => {},
      unknown: () => 'Something went wrong.',
    });
    queue.add([file('a'), file('b')]);
    account = 'local/7';
    ends[0]?.();
    await expect.poll(() => sent).toEqual(['local', 'local']);
    expect(queue.uploads.filter(({ scope }) => scope === 'local/7')).toEqual([]);
  });

  it('keeps a refused file with the reason, and retries it on request', async () => {
    let isRefused = true;
    const { queue, states } = queueOver(async ({ name }) => {
      if (name === 'a' && isRefused) throw new ApiFailure('refused', 'This file is too large.');
      return made;
    });
    queue.add([file('a'), file('b')]);
    await expect.poll(() => states()).toEqual(['failed', 'done']);
    expect(queue.uploads[0]?.problem).toBe('This file is too large.');
    isRefused = false;
    queue.retry(queue.uploads[0]?.id ?? 0);
    await expect.poll(() => states()).toEqual(['done', 'done']);
  });

  it('pauses without a connection and continues with the same file', async () => {
    let isLost = true;
    const { queue, states } = queueOver(async () => {
      if (isLost) throw new ApiFailure('unreachable', 'The connection was lost.');
      return made;
    });
    queue.add([file('a'), file('b')]);
    await expect.poll(() => queue.paused.value).toBe('The connection was lost.');
    expect(states()).toEqual(['waiting', 'waiting']);
    isLost = false;
    queue.resume();
    await expect.poll(() => states()).toEqual(['done', 'done']);
  });

  it('drops a cancelled file and continues with the next', async () => {
    const { queue, states } = queueOver(
      ({ name }, signal) =>
        new Promise((resolve, reject) => {
          if (name === 'b') resolve(made);
          signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')));
        }),
    );
    queue.add([file('a'), file('b')]);
    queue.cancel(queue.uploads[0]?.id ?? 0);
    await expect.poll(() => states()).toEqual(['done']);
    queue.clearDone();
    expect(queue.uploads).toEqual([]);
  });
});
