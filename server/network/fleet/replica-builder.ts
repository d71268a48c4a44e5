import { Worker } from 'node:worker_threads';
import { workerCall } from '../../platform/concurrency/worker-call.ts';
import type { Migration } from '../../platform/database/migration.ts';
import type { Unit } from './records.ts';
import type { ReplicaPosition } from './replica-records.ts';
import type { Salvaged } from './salvage.ts';
import type { ArrivedUnit } from './unit-body.ts';

export type ReplicaQuestion =
  | {
      kind: 'build';
      /** A folder that does not exist yet. */
      folder: string;
      /** A database with public tables: a snapshot, or another replica. */
      source: string;
      migrations: Migration[];
      /** The state that it represents when finished. */
      at: ReplicaPosition;
      /** What has changed since. */
      unit?: Pick<Unit, 'tables'> | { packed: Uint8Array };
    }
  | { kind: 'unit'; packed: Uint8Array }
  | { kind: 'hold'; file: string; at: number }
  | { kind: 'checksums'; held: number }
  | {
      kind: 'salvage';
      /** The folder of a damaged replica. */
      from: string;
      /** A folder that does not exist yet. */
      to: string;
      log: string;
      migrations: Migration[];
    };

export type ReplicaAnswer =
  | { kind: 'build' }
  | { kind: 'unit'; found: ArrivedUnit | undefined }
  | { kind: 'salvage'; found: Salvaged }
  | { kind: 'hold'; held: number | undefined }
  | { kind: 'checksums'; sums: Record<string, string> };

/** Builds and reads replicas in a worker thread: visitors never wait for it. */
export function replicaBuilder(migrations: Migration[]) {
  const { ask, close } = workerCall<ReplicaQuestion, ReplicaAnswer>(
    'replica builder',
    () => new Worker(new URL('./replica-thread.ts', import.meta.url)),
  );
  return {
    build: (wanted: Omit<Extract<ReplicaQuestion, { kind: 'build' }>, 'kind' | 'migrations'>) =>
      ask({ kind: 'build', migrations, ...wanted }).then(() => {}),
    /**
     * The current checksums of a replica, or undefined if it is not at this position. Computing them takes a while,
     * during which the thread answers other requests.
     */
    async checksums(
      file: string,
      at: number,
    ): Promise<{ sums: Promise<Record<string, string>> } | undefined> {
      // The thread answers each question with its own kind.
      const { held } = (await ask({ kind: 'hold', file, at })) as Extract<ReplicaAnswer, { kind: 'hold' }>;
      if (held === undefined) return undefined;
      const found = ask({ kind: 'checksums', held });
      return { sums: found.then((answer) => (answer as Extract<ReplicaAnswer, { kind: 'checksums' }>).sums) };
    },
    /** Reads a unit that takes long. */
    unit: async (packed: Uint8Array) => {
      const answer = await ask({ kind: 'unit', packed });
      return (answer as Extract<ReplicaAnswer, { kind: 'unit' }>).found;
    },
    /** Copies the unshipped data of a damaged replica into a new one. */
    salvage: async (from: string, to: string, log: string) => {
      const answer = await ask({ kind: 'salvage', from, to, log, migrations });
      return (answer as Extract<ReplicaAnswer, { kind: 'salvage' }>).found;
    },
    close,
  };
}

export type ReplicaBuilder = ReturnType<typeof replicaBuilder>;
