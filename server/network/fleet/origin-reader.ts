import { Worker } from 'node:worker_threads';
import { workerCall } from '../../platform/concurrency/worker-call.ts';
import type { FixedSettings } from './fixed-settings.ts';
import type { Unit } from './records.ts';
import type { Counted } from './subjects.ts';

export type OriginQuestion =
  | ({ kind: 'unit'; after: number } & Pick<Unit, 'epoch' | 'branch' | 'schema'>)
  | { kind: 'snapshot'; target: string }
  | { kind: 'hold'; at: number }
  | { kind: 'checksums'; held: number }
  | { kind: 'used'; of: Counted['kind']; after: number };

/** The used clicks or downloads of a limited link or file. */
export interface UsedLimit {
  id: number;
  createdAt: number;
  used: number;
}

export type OriginAnswer =
  | { kind: 'unit'; found: { to: number; body: Uint8Array } | 'many' | undefined }
  | { kind: 'snapshot'; position: number }
  | { kind: 'hold'; held: number | undefined }
  | { kind: 'checksums'; sums: Record<string, string> }
  | { kind: 'used'; limits: UsedLimit[] };

/** Reads the data for edges in a worker thread: redirects and writes never wait for it. */
export function originReader(file: string, fixed: FixedSettings = {}) {
  const { ask, close } = workerCall<OriginQuestion, OriginAnswer>(
    'fleet reader',
    () => new Worker(new URL('./origin-thread.ts', import.meta.url), { workerData: { file, fixed } }),
  );

  async function answerTo<Kind extends OriginQuestion['kind']>(
    asked: Extract<OriginQuestion, { kind: Kind }>,
  ): Promise<Extract<OriginAnswer, { kind: Kind }>> {
    // A thread answers each question with its own kind.
    return (await ask(asked)) as Extract<OriginAnswer, { kind: Kind }>;
  }

  return {
    /** The changes after a position, compressed; 'many' if a snapshot is shorter. */
    unit: async (after: number, of: Pick<Unit, 'epoch' | 'branch' | 'schema'>) =>
      (await answerTo<'unit'>({ kind: 'unit', after, ...of })).found,
    /** Writes the public tables into a new file; returns the position that they are of. */
    snapshot: async (target: string): Promise<number> =>
      (await answerTo<'snapshot'>({ kind: 'snapshot', target })).position,
    /**
     * The current checksums of all public tables, or undefined if the database is not at this position. Computing them
     * takes a while, during which the thread answers other requests.
     */
    async checksums(at: number): Promise<{ sums: Promise<Record<string, string>> } | undefined> {
      const { held } = await answerTo<'hold'>({ kind: 'hold', at });
      if (held === undefined) return undefined;
      return { sums: answerTo<'checksums'>({ kind: 'checksums', held }).then(({ sums }) => sums) };
    },
    /** The next limited links or files after an id with used clicks or downloads. */
    usedLimits: async (of: Counted['kind'], after: number): Promise<UsedLimit[]> =>
      (await answerTo<'used'>({ kind: 'used', of, after })).limits,
    close,
  };
}

export type OriginReader = ReturnType<typeof originReader>;
