import { diskFull, Refusal, rejected } from '../../platform/errors.ts';
import type { Manifest } from './manifest.ts';
import { BackupRefused } from './refused.ts';

/** Returns why a backup's secrets cannot be used here: 400 `vault_key_differs`, `passphrase_required` or `keys_missing`. */
export function keysMissing({ secrets, vaultKey }: Manifest, isFixed: boolean): Refusal {
  if (isFixed && vaultKey !== null) {
    return rejected(
      'vault_key_differs',
      undefined,
      'This server was started with another vault key than the backup needs. Start it with WAYPOST_VAULT_KEY of the backup, or restore without the keys.',
    );
  }
  return secrets === 'sealed'
    ? rejected(
        'passphrase_required',
        'passphrase',
        'Enter the passphrase of the backup, or restore without its keys.',
      )
    : rejected(
        'keys_missing',
        undefined,
        'This backup was made without a passphrase on another machine, so its keys are not in it. Restored without them, two-factor authentication is switched off for everybody.',
      );
}

/** Returns what a person is told of a task that failed. */
export function explain(error: unknown): { code: string; message: string } {
  if (error instanceof BackupRefused) return { code: error.code, message: error.message };
  if (error instanceof Refusal) return { code: error.details.code, message: error.message };
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
    return { code: 'disk_full', message: 'The disk is full. Free some space and try again.' };
  }
  return { code: 'failed', message: 'It failed unexpectedly. The log of the server says why.' };
}

/** Returns what a request answers with for an error: a Refusal for what is wrong with a backup, else the error itself. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof BackupRefused)) return error;
  if (error.code === 'disk_full') return diskFull();
  const field = error.code.startsWith('passphrase') ? 'passphrase' : undefined;
  return rejected(error.code, field, error.message);
}

/** Runs work and throws what it throws as `asRefusal` has it. */
export function refusing<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asRefusal(error);
  }
}
