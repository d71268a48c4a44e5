import { Worker } from 'node:worker_threads';
import { workerCall } from '../../platform/concurrency/worker-call.ts';
import { pixelsOf } from '../../platform/images/images.ts';

/** The thread's input: a PNG for zxing, four bytes per pixel for jsQR. */
export type DecoderQuestion =
  | { reader: 'zxing'; png: Uint8Array; inverted: boolean }
  | { reader: 'jsqr'; pixels: Uint8Array; width: number; height: number };

export interface Decoder {
  /**
   * The text that any scanner reads in a PNG; undefined when it finds no code that it can read. Neither inverted nor
   * turned codes are tried: many scanners do not read those.
   */
  decode(png: Uint8Array): Promise<string | undefined>;
  /** Whether at least one of two decoders reads a text in a PNG, be the code light on dark or dark on light. */
  canRead(png: Uint8Array, text: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Decodes codes in a thread: a large one takes a fifth of a second, which no redirect may wait for. */
export function decoder(): Decoder {
  const { ask, close } = workerCall<DecoderQuestion, string | undefined>(
    'decoder',
    () => new Worker(new URL('./decoder-thread.ts', import.meta.url)),
  );
  return {
    decode: (png) => ask({ reader: 'zxing', png, inverted: false }),
    async canRead(png, text) {
      if ((await ask({ reader: 'zxing', png, inverted: true })) === text) return true;
      const { data, width, height } = await pixelsOf(Buffer.from(png));
      return (await ask({ reader: 'jsqr', pixels: data, width, height })) === text;
    },
    close,
  };
}
