import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './connect.ts';

const { file } = workerData as { file: string };
// Either level syncs the log before and the database after what it writes back.
const connection = connect(file, 'NORMAL');
const checkpoint = connection.prepare<[], { log: number; checkpointed: number }>(
  'PRAGMA wal_checkpoint(PASSIVE)',
);

/** While the first rounds write back, commits go on. The log starts anew only when a round ends between two of them. */
const mostRounds = 10;

/** Answers each message with how long the log is when all of it could not be written back, else with 0. */
parentPort?.on('message', () => {
  let left = 0;
  try {
    for (let round = 0; round < mostRounds; round += 1) {
      // PASSIVE waits for nobody and nobody waits for it.
      const { log = 0, checkpointed = 0 } = checkpoint.get() ?? {};
      left = checkpointed >= log ? 0 : log;
      if (left === 0) break;
    }
  } catch {
    // A full disk: nothing is lost, the log stays as long as it is, and the next round tries again.
  }
  parentPort?.postMessage(left);
});
