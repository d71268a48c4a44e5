import { Worker } from 'node:worker_threads';
import type { QrFormat } from '../../contract/qr.ts';
import type { CorrectionLevel } from '../../contract/qr-images.ts';
import { type FairQueue, fairQueue } from '../../platform/concurrency/fair-queue.ts';
import { workerCall } from '../../platform/concurrency/worker-call.ts';
import type { FieldProblem } from '../../platform/errors.ts';
import type { DesignParts } from './drawing/design.ts';
import type { Extent } from './drawing/svg.ts';
import type { Print } from './readability.ts';

export interface PaintRequest {
  parts: DesignParts;
  format: QrFormat;
  extent: Extent;
}

/** A drawn code, and how a camera would see it. */
export interface Sketch {
  level: CorrectionLevel;
  /** Modules of an edge. */
  size: number;
  print: Print;
  /** What makes its style hard to read. */
  warnings: FieldProblem[];
}

export type PainterQuestion =
  | ({ kind: 'paint' } & PaintRequest)
  | { kind: 'sketch'; parts: DesignParts }
  | { kind: 'closer'; parts: DesignParts };

export interface Painter {
  /** The bytes of a rendering. */
  paint(request: PaintRequest): Promise<Uint8Array>;
  /** Draws a code that is being designed; undefined when it cannot hold the text. */
  sketch(parts: DesignParts): Promise<Sketch | undefined>;
  /** The same code for decoders, from closer. */
  closerPrint(parts: DesignParts): Promise<Print>;
  close(): Promise<void>;
}

/** Drawings that wait, of visitors' networks and of accounts together. */
const mostWaiting = 96;

/**
 * The line in front of the painter's thread: two drawings at once, each a second and the memory of a large picture at
 * most. Networks and accounts take turns, so that none keeps the others from their codes.
 */
export function drawingQueue(): FairQueue {
  return fairQueue({ width: 2, most: mostWaiting });
}

/**
 * Draws codes in a thread: a large one with round modules takes a second, which no redirect may wait for. Callers take
 * a turn first (`drawingQueue`).
 */
export function painter(): Painter {
  const { ask, close } = workerCall<PainterQuestion, unknown>(
    'painter of QR codes',
    () => new Worker(new URL('./painter-thread.ts', import.meta.url)),
  );
  return {
    // The thread's replies by kind of request.
    paint: (request) => ask({ kind: 'paint', ...request }) as Promise<Uint8Array>,
    sketch: (parts) => ask({ kind: 'sketch', parts }) as Promise<Sketch | undefined>,
    closerPrint: (parts) => ask({ kind: 'closer', parts }) as Promise<Print>,
    close,
  };
}
