import Database from 'better-sqlite3';
import { caseFold } from '../text/case-fold.ts';
import { LazyStatement } from './lazy-statement.ts';
import type { Migration } from './migration.ts';
import { planOnce } from './plan-once.ts';

export type Connection = Database.Database;

/** "WAYP": identifies the file as ours, so that another program's database is never opened as an instance. */
export const applicationId = 0x57415950;

/** A read-only connection for long reads; open it in a worker thread. */
export function openReader(file: string): Connection {
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  connection.pragma('busy_timeout = 5000');
  connection.pragma('trusted_schema = 0');
  connection.pragma('query_only = 1');
  // A quarter of the library's default, which makes no list slower: the system keeps what was read as well.
  connection.pragma('cache_size = -4096');
  connection.prepare = prepareOnce(connection) as Connection['prepare'];
  return connection;
}

/** An in-memory database with the schema of these migrations, for tests of queries and for comparison. */
export function openInMemory(migrations: readonly Migration[]): Connection {
  const connection = new Database(':memory:');
  setPragmas(connection, 'FULL');
  addFunctions(connection);
  connection.prepare = prepareOnce(connection) as Connection['prepare'];
  for (const migration of migrations) connection.exec(migration.sql);
  return connection;
}

/** A connection that may write, with every pragma set explicitly. FULL survives a power failure, NORMAL a crash. */
export function connect(file: string, synchronous: 'FULL' | 'NORMAL'): Connection {
  const connection = new Database(file);
  setPragmas(connection, synchronous);
  addFunctions(connection);
  compileLater(connection);
  return connection;
}

/** Compiles a connection's statements on first use. */
function compileLater(connection: Connection): void {
  const compile = prepareOnce(connection);
  const prepare = (sql: string) => new LazyStatement(() => compile(sql));
  // It has the statement methods that are used here.
  connection.prepare = prepare as unknown as Connection['prepare'];
}

/** The connection's own `prepare`, for statements that keep their plan. */
function prepareOnce(connection: Connection): (sql: string) => Database.Statement {
  return (sql) => Database.prototype.prepare.call(connection, planOnce(sql)) as Database.Statement;
}

function setPragmas(connection: Connection, synchronous: 'FULL' | 'NORMAL'): void {
  // This comes first, so that the following ones wait for a reader instead of failing.
  connection.pragma('busy_timeout = 5000');
  connection.pragma('journal_mode = WAL');
  // Set on every connection: better-sqlite3 is compiled to fall back to NORMAL in WAL mode.
  connection.pragma(`synchronous = ${synchronous}`);
  connection.pragma('foreign_keys = 1');
  connection.pragma('trusted_schema = 0');
  connection.pragma('cell_size_check = 1');
  connection.pragma('journal_size_limit = 67108864');
  connection.pragma('wal_autocheckpoint = 1000');
  connection.pragma('cache_size = -32768');
  // macOS acknowledges fsync before the data is on the disk unless this is set.
  if (process.platform === 'darwin') connection.pragma('fullfsync = 1');
}

/** A function that migrations need: SQLite itself only folds the case of ASCII letters. */
function addFunctions(connection: Connection): void {
  connection.function('fold', { deterministic: true }, (text) =>
    typeof text === 'string' ? caseFold(text) : text,
  );
}

/** Reads the pragmas back; throws if the library or the file did not accept one. */
export function checkPragmas(connection: Connection, synchronous: 1 | 2): void {
  const expected: Record<string, unknown> = {
    journal_mode: 'wal',
    synchronous,
    foreign_keys: 1,
    trusted_schema: 0,
    cell_size_check: 1,
    journal_size_limit: 67108864,
    wal_autocheckpoint: 1000,
    busy_timeout: 5000,
    application_id: applicationId,
  };
  for (const [name, value] of Object.entries(expected)) {
    const actual = connection.pragma(name, { simple: true });
    if (actual !== value) throw new Error(`pragma ${name} is ${String(actual)}, not ${String(value)}`);
  }
}
