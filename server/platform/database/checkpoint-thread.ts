import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './connect.ts';

const { file } = workerData as { file: string };
// Either level syncs the log before and the database after what it writes back.
const connection = connect(file, 'NORMAL');
const checkpoint = connection.prepare<[], { log: number; checkpointed: number }>(
  'PRAGMA wal_checkpoint(PASSIVE)',
);

/** What was committed during a round is left for the next one. */
const mostRounds = 10;

/** Answers each message when the log is written back as far as it can be. */
parentPort?.on('message', () => {
  try {
    for (let round = 0; round < mostRounds; round += 1) {
      // PASSIVE waits for nobody and nobody waits for it.
      const { log = 0, checkpointed = 0 } = checkpoint.get() ?? {};
      if (checkpointed >= log) break;
    }
  } catch {
    // A full disk: nothing is lost, the log stays as long as it is, and the next round tries again.
  }
  parentPort?.postMessage('done');
});
