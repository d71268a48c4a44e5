import type { BackupFailure, BackupTask } from '../../server/contract/backups.ts';
import { ApiFailure } from '../api/failure.ts';

/** What a restore is at, as the page shows it. */
export type RestoreStep = Pick<BackupTask, 'phase' | 'progress'>;

interface State {
  running: BackupTask | null;
  failure: BackupFailure | null;
}

/** How often it is asked, milliseconds. */
const lookMs = 700;

/**
 * Follows a restore to its end: resolves to undefined when the server answers with what was restored, else to the
 * sentence that says why it failed. While the server starts anew it does not answer, which is a step like others; that
 * it knows us no more, or is no fresh instance any more, means that it is back.
 */
export async function followRestore(
  read: () => Promise<State>,
  onStep: (step: RestoreStep) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  while (!signal.aborted) {
    try {
      const { running, failure } = await read();
      if (failure?.task === 'restore') return failure.message;
      if (!running) return undefined;
      onStep(running);
    } catch (error) {
      if (!(error instanceof ApiFailure)) return undefined;
      if (error.kind !== 'unreachable') return undefined;
      onStep({ phase: 'restarting', progress: 0 });
    }
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  return undefined;
}
