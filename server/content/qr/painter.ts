import { Worker } from 'node:worker_threads';
import type { CorrectionLevel } from '../../contract/qr.ts';
import { concurrencyLimit } from '../../platform/concurrency/concurrency-limit.ts';
import { workerCall } from '../../platform/concurrency/worker-call.ts';
import { type FieldProblem, unavailable } from '../../platform/errors.ts';
import type { DesignParts } from './drawing/design.ts';
import type { Extent } from './drawing/svg.ts';
import type { Print } from './readability.ts';

export interface PaintRequest {
  parts: DesignParts;
  format: 'png' | 'svg' | 'pdf';
  extent: Extent;
}

/** What a code would be, and how a camera would see it. */
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

/** Sketches under way or waiting; each may take a good part of a second of the thread. */
const mostSketches = 40;

export interface Painter {
  /** The bytes of a rendering. */
  paint(request: PaintRequest): Promise<Uint8Array>;
  /** Draws a code that is being designed; undefined when it cannot hold the text. Rejects with 503 while too many wait. */
  sketch(parts: DesignParts): Promise<Sketch | undefined>;
  /** The same code for decoders, from closer. */
  closerPrint(parts: DesignParts): Promise<Print>;
  close(): Promise<void>;
}

/**
 * Draws codes in a thread of its own: a large one in round modules takes a second, which no redirect may wait for. One at a
 * time, so that drawings take no more than one processor and the memory of one picture.
 */
export function painter(): Painter {
  const { ask, close } = workerCall<PainterQuestion, unknown>(
    'painter of QR codes',
    () => new Worker(new URL('./painter-thread.ts', import.meta.url)),
  );
  let sketches = 0;
  // One at a time, so that a public picture waits for one of them at most.
  const limit = concurrencyLimit(1);

  async function askInTurn(question: PainterQuestion): Promise<unknown> {
    if (sketches >= mostSketches) {
      throw unavailable('Too many QR codes are being drawn. Try again in a few seconds.');
    }
    sketches += 1;
    try {
      return await limit(() => ask(question));
    } finally {
      sketches -= 1;
    }
  }

  return {
    // The thread answers each kind of question with what is said here.
    paint: (request) => ask({ kind: 'paint', ...request }) as Promise<Uint8Array>,
    sketch: (parts) => askInTurn({ kind: 'sketch', parts }) as Promise<Sketch | undefined>,
    closerPrint: (parts) => askInTurn({ kind: 'closer', parts }) as Promise<Print>,
    close,
  };
}
