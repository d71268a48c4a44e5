/** Why a data folder cannot be served. `code` decides the exit status (decisions, section 8). */
export class DatabaseRefused extends Error {
  readonly code: 'data_in_use' | 'database_damaged' | 'database_newer';

  constructor(code: DatabaseRefused['code'], message: string) {
    super(message);
    this.name = 'DatabaseRefused';
    this.code = code;
  }
}
