import Database from 'better-sqlite3';
import { applicationId, type Connection, openInMemory } from './connect.ts';
import type { Migration } from './migration.ts';
import { isDamage } from './refused.ts';

/**
 * Copies a database that may be in use to a new file: one consistent state with every write acknowledged before the
 * call. Writers continue meanwhile. It accesses the live file through SQLite only: a plain read would drop SQLite's
 * locks.
 */
export function copyDatabase(file: string, target: string): void {
  // Not `query_only`: that also forbids VACUUM INTO.
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  try {
    connection.pragma('busy_timeout = 5000');
    connection.pragma('trusted_schema = 0');
    connection.prepare('VACUUM INTO ?').run(target);
  } finally {
    connection.close();
  }
}

/** Opens a copy from an untrusted source, read-only and without trusting its schema (T-35). */
export function openCandidate(file: string): Connection {
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  connection.pragma('trusted_schema = 0');
  connection.pragma('cell_size_check = 1');
  connection.pragma('mmap_size = 0');
  connection.pragma('query_only = 1');
  return connection;
}

/** Problems found in a database; `newer` means that its schema is unknown to this program. */
export type Fault = { kind: 'damaged' | 'foreign' | 'newer'; detail: string };

/** Whether a database is ours and intact: every page and index, every reference. Undefined if it is. */
export function findDamage(connection: Connection): Fault | undefined {
  try {
    return lookForDamage(connection);
  } catch (error) {
    // The check itself fails if a page that it needs is corrupt.
    if (isDamage(error)) return { kind: 'damaged', detail: error.message };
    throw error;
  }
}

/**
 * Checks a whole database: whether it is intact, and whether its schema is exactly that of the migrations up to its
 * version, without additional triggers or views. Undefined if all is well. Takes as long as reading the file.
 */
export function findFault(connection: Connection, migrations: readonly Migration[]): Fault | undefined {
  const version = Number(connection.pragma('user_version', { simple: true }));
  const newest = migrations.at(-1)?.version ?? 0;
  if (version > newest) return { kind: 'newer', detail: `it has version ${version}, and ${newest} is known` };
  const damage = findDamage(connection);
  if (damage) return damage;
  const unknown = firstDifference(schemaOf(connection), schemaAt(migrations, version));
  return unknown === undefined ? undefined : { kind: 'foreign', detail: `its schema differs at ${unknown}` };
}

/** The number of rows of every table. */
export function countRows(connection: Connection): Record<string, number> {
  const names = connection
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema
       WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
    )
    .pluck()
    .all();
  const counts: Record<string, number> = {};
  for (const name of names) {
    // A name cannot be bound; it is quoted as SQLite itself would.
    const quoted = `"${name.replaceAll('"', '""')}"`;
    counts[name] = connection.prepare<[], number>('SELECT count(*) FROM '.concat(quoted)).pluck().get() ?? 0;
  }
  return counts;
}

function lookForDamage(connection: Connection): Fault | undefined {
  if (connection.pragma('application_id', { simple: true }) !== applicationId) {
    return { kind: 'foreign', detail: 'it was not made by Waypost' };
  }
  const verdict = connection.pragma('integrity_check(1)', { simple: true });
  if (verdict !== 'ok') return { kind: 'damaged', detail: String(verdict) };
  const [reference] = connection.pragma('foreign_key_check') as { table: string }[];
  return reference && { kind: 'damaged', detail: `a row of ${reference.table} refers to nothing` };
}

type Schema = ReadonlyMap<string, string>;

/** Schemas by version: running all migrations takes longer than checking a small database. */
const schemas = new WeakMap<readonly Migration[], Map<number, Schema>>();

function schemaOf(connection: Connection): Schema {
  const rows = connection
    .prepare<[], { type: string; name: string; sql: string | null }>(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'",
    )
    .all();
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, (sql ?? '').trim()]));
}

function schemaAt(migrations: readonly Migration[], version: number): Schema {
  const known = schemas.get(migrations) ?? new Map<number, Schema>();
  schemas.set(migrations, known);
  const schema = known.get(version) ?? readSchema(migrations, version);
  known.set(version, schema);
  return schema;
}

function readSchema(migrations: readonly Migration[], version: number): Schema {
  const known = openInMemory(migrations.filter((migration) => migration.version <= version));
  try {
    return schemaOf(known);
  } finally {
    known.close();
  }
}

function firstDifference(found: Schema, known: Schema): string | undefined {
  for (const [name, sql] of found) if (known.get(name) !== sql) return name;
  for (const name of known.keys()) if (!found.has(name)) return name;
  return undefined;
}
