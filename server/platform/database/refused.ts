/** Why a data folder cannot be used. `code` determines the exit status (decision 0053). */
export class DatabaseRefused extends Error {
  readonly code: 'data_in_use' | 'data_unwritable' | 'database_damaged' | 'database_newer';

  constructor(code: DatabaseRefused['code'], message: string) {
    super(message);
    this.name = 'DatabaseRefused';
    this.code = code;
  }
}

/**
 * Whether SQLite failed because the file is not an intact database: it reports this with codes, wherever it encounters
 * the damage.
 */
export function isDamage(error: unknown): error is Error {
  // Also for errors that a worker thread has passed on.
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false;
  return error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT');
}
