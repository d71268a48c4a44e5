import { Worker } from 'node:worker_threads';
import { workerCall } from '../../platform/concurrency/worker-call.ts';
import type { Migration } from '../../platform/database/migration.ts';
import type { Unit } from './records.ts';
import type { ReplicaPosition } from './replica-records.ts';

export type ReplicaQuestion =
  | {
      kind: 'build';
      /** A folder that does not exist yet. */
      folder: string;
      /** A database with public tables: a snapshot, or another replica. */
      source: string;
      migrations: Migration[];
      /** What it is of when it is done. */
      at: ReplicaPosition;
      /** What has changed since. */
      unit?: Pick<Unit, 'tables'>;
    }
  | { kind: 'checksums'; file: string };

export type ReplicaAnswer =
  | { kind: 'build' }
  | { kind: 'checksums'; position: number; sums: Record<string, string> };

/** Builds replicas, and reads the whole of one, in a thread of its own: visitors never wait for it. */
export function replicaBuilder(migrations: Migration[]) {
  const { ask, close } = workerCall<ReplicaQuestion, ReplicaAnswer>(
    'replica builder',
    () => new Worker(new URL('./replica-thread.ts', import.meta.url)),
  );
  return {
    build: (wanted: Omit<Extract<ReplicaQuestion, { kind: 'build' }>, 'kind' | 'migrations'>) =>
      ask({ kind: 'build', migrations, ...wanted }).then(() => {}),
    checksums: async (file: string) =>
      // The thread answers each question with its own kind.
      (await ask({ kind: 'checksums', file })) as Extract<ReplicaAnswer, { kind: 'checksums' }>,
    close,
  };
}

export type ReplicaBuilder = ReturnType<typeof replicaBuilder>;
