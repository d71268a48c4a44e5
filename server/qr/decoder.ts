import { Worker } from 'node:worker_threads';
import { thread } from '../thread.ts';

export interface Decoder {
  /** The text that a scanner reads in a PNG; undefined when it finds no code that it can read. */
  decode(png: Buffer): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Reads codes in a thread of its own: a large one takes a fifth of a second, which no redirect may wait for. */
export function decoder(): Decoder {
  const { ask, close } = thread<Uint8Array, string | undefined>(
    'decoder',
    () => new Worker(new URL('./decoder-thread.ts', import.meta.url)),
  );
  return { decode: ask, close };
}
