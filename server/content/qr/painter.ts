import { Worker } from 'node:worker_threads';
import { thread } from '../../platform/concurrency/worker-call.ts';
import type { DesignParts } from './drawing/design.ts';
import type { Extent } from './drawing/svg.ts';

export interface PaintRequest {
  parts: DesignParts;
  format: 'png' | 'svg' | 'pdf';
  extent: Extent;
}

export interface Painter {
  /** The bytes of a rendering. */
  paint(request: PaintRequest): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Draws codes in a thread of its own: a large one in round modules takes a second, which no redirect may wait for. One at a
 * time, so that drawings take no more than one processor and the memory of one picture.
 */
export function painter(): Painter {
  const { ask, close } = thread<PaintRequest, Uint8Array>(
    'painter of QR codes',
    () => new Worker(new URL('./painter-thread.ts', import.meta.url)),
  );
  return { paint: ask, close };
}
