import type { BackupFailure, BackupTask } from '../../../server/contract/backups.ts';
import { ApiFailure } from '../../api/failure.ts';

/** Current step of a restore, as displayed. */
export type RestoreStep = Pick<BackupTask, 'phase' | 'progress'>;

interface State {
  running: BackupTask | null;
  failure: BackupFailure | null;
}

interface Options {
  /** Loads the progress from the server. */
  readonly read: () => Promise<State>;
  readonly onStep: (step: RestoreStep) => void;
  /** Polling interval in milliseconds; without a key, at most one request per second is allowed. */
  readonly every: number;
  readonly signal: AbortSignal;
}

/**
 * Result of a restore: `failed` has an explanation in `why`; `left` means that `signal` aborted and the result is
 * unknown.
 */
export type RestoreEnd = { outcome: 'restored' } | { outcome: 'failed'; why: string } | { outcome: 'left' };

/**
 * Polls a restore until it ends. While the server restarts, it does not respond, or a proxy responds instead, which
 * counts as a step. When it rejects our session or is no longer a fresh instance, it is back with the restored data.
 */
export async function followRestore({ read, onStep, every, signal }: Options): Promise<RestoreEnd> {
  while (!signal.aborted) {
    try {
      const { running, failure } = await read();
      if (failure?.task === 'restore') return { outcome: 'failed', why: failure.message };
      if (!running) return { outcome: signal.aborted ? 'left' : 'restored' };
      onStep(running);
    } catch (error) {
      // Check this first: an invalid session signs the user out immediately, which unmounts the page and aborts
      // `signal`.
      if (isBack(error)) return { outcome: 'restored' };
      if (signal.aborted) break;
      if (!(error instanceof ApiFailure)) throw error;
      if (error.kind !== 'limited') onStep({ phase: 'restarting', progress: 0 });
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  return { outcome: 'left' };
}

function isBack(error: unknown): boolean {
  return error instanceof ApiFailure && (error.kind === 'unauthorized' || error.status === 404);
}
