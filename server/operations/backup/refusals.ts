import { diskFull, Refusal, rejected } from '../../platform/errors.ts';
import type { Manifest } from './manifest.ts';
import { BackupRefused } from './refused.ts';

/**
 * Returns why a backup's secrets cannot be used here: 400 `vault_key_differs`, `passphrase_required` or `keys_missing`.
 */
export function keysMissing(
  { secrets, vaultKey }: Pick<Manifest, 'secrets' | 'vaultKey'>,
  isFixed: boolean,
): Refusal {
  if (isFixed && vaultKey !== null) {
    return rejected(
      'vault_key_differs',
      undefined,
      "The backup requires another vault key than this server uses. Start it with the backup's WAYPOST_VAULT_KEY, or restore without secrets.",
    );
  }
  return secrets === 'sealed'
    ? rejected(
        'passphrase_required',
        'passphrase',
        'Enter the backup passphrase, or restore without secrets.',
      )
    : rejected(
        'keys_missing',
        undefined,
        'This backup was created without a passphrase on another machine, so it has no secrets. Restoring it turns off two-factor authentication for everyone.',
      );
}

/** Returns the message about a failed task. */
export function explain(error: unknown): { code: string; message: string } {
  if (error instanceof BackupRefused) return { code: error.code, message: error.message };
  if (error instanceof Refusal) return { code: error.details.code, message: error.message };
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
    return { code: 'disk_full', message: 'The disk is full. Free some space and try again.' };
  }
  return { code: 'failed', message: 'Failed unexpectedly. See the server log.' };
}

/** Returns the error for a request: a Refusal for problems with a backup, else the error itself. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof BackupRefused)) return error;
  if (error.code === 'disk_full') return diskFull();
  const field = error.code.startsWith('passphrase') ? 'passphrase' : undefined;
  return rejected(error.code, field, error.message);
}

/** Runs work and converts its errors with `asRefusal`. */
export function refusing<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asRefusal(error);
  }
}
