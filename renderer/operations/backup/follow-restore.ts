import type { BackupFailure, BackupTask } from '../../../server/contract/backups.ts';
import { ApiFailure } from '../../api/failure.ts';

/** What a restore is at, as the page shows it. */
export type RestoreStep = Pick<BackupTask, 'phase' | 'progress'>;

interface State {
  running: BackupTask | null;
  failure: BackupFailure | null;
}

interface Options {
  /** How far it is, as the server says. */
  readonly read: () => Promise<State>;
  readonly onStep: (step: RestoreStep) => void;
  /** Milliseconds between two looks: somebody without a key may ask once a second and no more. */
  readonly every: number;
  readonly signal: AbortSignal;
}

/** What came of a restore: `failed` has the sentence that says why; `left`: `signal` aborted, so nobody knows. */
export type RestoreEnd = { outcome: 'restored' } | { outcome: 'failed'; why: string } | { outcome: 'left' };

/**
 * Follows a restore to its end. While the server starts anew it does not answer, or a proxy answers for it, which is a
 * step like others; that it knows us no more, or is not a fresh instance any more, means that it is back.
 */
export async function followRestore({ read, onStep, every, signal }: Options): Promise<RestoreEnd> {
  while (!signal.aborted) {
    try {
      const { running, failure } = await read();
      if (failure?.task === 'restore') return { outcome: 'failed', why: failure.message };
      if (!running) return { outcome: signal.aborted ? 'left' : 'restored' };
      onStep(running);
    } catch (error) {
      // Looked at first: whoever is not known any more is signed out at once, and the page that asked is gone with
      // that.
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
