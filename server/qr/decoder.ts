import { Worker } from 'node:worker_threads';
import type { DecodeReply, DecodeRequest } from './decoder-thread.ts';

export interface Decoder {
  /** The text that a scanner reads in a PNG; undefined when it finds no code that it can read. */
  decode(png: Buffer): Promise<string | undefined>;
  close(): Promise<void>;
}

interface Waiting {
  resolve: (text: string | undefined) => void;
  reject: (error: Error) => void;
}

/**
 * Reads codes in a thread of its own: a large one takes a fifth of a second, which no redirect may wait for. The thread
 * is started by the first code, and again when it died; it does not keep the process alive.
 */
export function decoder(): Decoder {
  let thread: Worker | undefined;
  let nextId = 1;
  let closed = false;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const worker = new Worker(new URL('./decoder-thread.ts', import.meta.url));
    worker.unref();
    worker.on('message', (reply: DecodeReply) => {
      const asked = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) worker.unref();
      if ('text' in reply) asked?.resolve(reply.text ?? undefined);
      else asked?.reject(new Error(`a code could not be looked at: ${reply.error}`));
    });
    worker.on('error', () => abandon(worker));
    worker.on('exit', () => abandon(worker));
    return worker;
  }

  function abandon(worker: Worker): void {
    if (worker !== thread) return;
    thread = undefined;
    const left = [...waiting.values()];
    waiting.clear();
    for (const { reject } of left) reject(new Error('the thread that reads codes ended'));
  }

  return {
    decode(png) {
      if (closed) return Promise.reject(new Error('the decoder is closed'));
      thread ??= start();
      const worker = thread;
      const id = nextId;
      nextId += 1;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        // While somebody waits for an answer the process must not end.
        worker.ref();
        worker.postMessage({ id, png } satisfies DecodeRequest);
      });
    },
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}
