import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './connect.ts';

const { file } = workerData as { file: string };
// Both levels sync the log before, and the database after, writing back.
const connection = connect(file, 'NORMAL');
const checkpoint = connection.prepare<[], { log: number; checkpointed: number }>(
  'PRAGMA wal_checkpoint(PASSIVE)',
);

/** Pages committed during a round are left for the next one. */
const mostRounds = 10;

/** Answers each message once the log has been written back as far as possible. */
parentPort?.on('message', () => {
  try {
    for (let round = 0; round < mostRounds; round += 1) {
      // PASSIVE does not wait for others and does not block them.
      const { log = 0, checkpointed = 0 } = checkpoint.get() ?? {};
      if (checkpointed >= log) break;
    }
  } catch {
    // The disk is full: nothing is lost, the log keeps its length, and the next round tries again.
  }
  parentPort?.postMessage('done');
});
