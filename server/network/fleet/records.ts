import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection } from '../../platform/database/connect.ts';
import { type FixedSettings, publicSource } from './fixed-settings.ts';
import { publicTable, publicTables } from './public-tables.ts';

/** A column's value as it travels: bytes are hexadecimal digits. */
export type ColumnValue = number | string | null;

/** What became of the records of one table. */
interface TableChanges {
  columns: readonly string[];
  rows: ColumnValue[][];
  /** Keys of all changed records, including deleted ones. */
  keys: ColumnValue[][];
}

/** Records of several transactions as they are after the last of them; applied together or not at all. */
export interface Unit {
  epoch: number;
  /** The start of the origin that published it. */
  branch: string;
  /** Number of the newest migration of the origin. */
  schema: number;
  /** Positions of the change before the first and of the last. */
  from: number;
  to: number;
  tables: Record<string, TableChanges>;
}

interface ChangeRow {
  id: number;
  record: string;
  key: string;
}

/** Rows of a checksum that are read before yielding. */
const rowsInTurn = 500;
/** Changes per unit; beyond that, edges get a snapshot. */
const mostChanges = 20_000;

/**
 * Reads the changes after a position, all from one state of the database: however many transactions there were, an
 * edge that applies the unit has exactly the state after the last one. Undefined if there are none; `many` if they do
 * not fit a unit, which is detected before they are in memory.
 */
export function readChanges(
  connection: Connection,
  after: number,
  { fixed = {}, mostBytes = Number.POSITIVE_INFINITY }: { fixed?: FixedSettings; mostBytes?: number } = {},
): Pick<Unit, 'to' | 'tables'> | 'many' | undefined {
  return connection
    .transaction(() => {
      const rows = connection
        .prepare<[number, number], ChangeRow>(
          'SELECT id, record, key FROM fleet_changes WHERE id > ? ORDER BY id LIMIT ?',
        )
        .all(after, mostChanges + 1);
      const last = rows.at(-1);
      if (!last) return undefined;
      if (rows.length > mostChanges) return 'many';
      const tables: Record<string, TableChanges> = {};
      let room = mostBytes;
      for (const [record, keys] of keysByTable(rows)) {
        const table = readRecords(connection, record, keys, { fixed, mostBytes: room });
        if (table === undefined) return 'many';
        tables[record] = table.changes;
        room -= table.bytes;
      }
      return { to: last.id, tables };
    })
    .deferred();
}

function keysByTable(rows: readonly ChangeRow[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { record, key } of rows) {
    const keys = found.get(record) ?? new Set();
    found.set(record, keys.add(key));
  }
  return found;
}

function readRecords(
  connection: Connection,
  record: string,
  texts: ReadonlySet<string>,
  { fixed, mostBytes }: { fixed: FixedSettings; mostBytes: number },
): { changes: TableChanges; bytes: number } | undefined {
  const { columns } = publicTable(record);
  const find = connection.prepare<ColumnValue[], ColumnValue[]>(recordSql(record, fixed)).raw();
  // Written by the triggers only.
  const keys = [...texts].map((text) => JSON.parse(text) as ColumnValue[]);
  const rows: ColumnValue[][] = [];
  let bytes = 0;
  for (const key of keys) {
    const row = find.get(...key);
    if (!row) continue;
    for (const value of row) bytes += typeof value === 'string' ? value.length : 0;
    if (bytes > mostBytes) return undefined;
    rows.push(row);
  }
  return { changes: { columns, rows, keys }, bytes };
}

function recordSql(record: string, fixed: FixedSettings): string {
  const { key, only = 'true' } = publicTable(record);
  const isIt = key.map((column) => `${column} = ?`).join(' AND ');
  return `SELECT ${selected(record)} FROM ${publicSource(record, fixed)} WHERE ${isIt} AND ${only}`;
}

function allSql(record: string, fixed: FixedSettings): string {
  const { key, only = 'true' } = publicTable(record);
  return `SELECT ${selected(record)} FROM ${publicSource(record, fixed)} WHERE ${only} ORDER BY ${key.join(', ')}`;
}

/** The public columns of a table as they travel. */
function selected(record: string): string {
  const { columns, blobs = [] } = publicTable(record);
  return columns.map((column) => (blobs.includes(column) ? `hex(${column})` : column)).join(', ');
}

/**
 * A checksum of the published part of each table. Takes as long as reading all of it, and yields in between; the
 * connection cannot be used otherwise.
 */
export async function checksums(
  connection: Connection,
  fixed: FixedSettings = {},
): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  let read = 0;
  for (const record of Object.keys(publicTables)) {
    const hash = createHash('sha256');
    const rows = connection.prepare<[], ColumnValue[]>(allSql(record, fixed)).raw().iterate();
    for (const row of rows) {
      hash.update(JSON.stringify(row));
      read += 1;
      if (read % rowsInTurn === 0) await nextTurn();
    }
    sums[record] = hash.digest('base64url');
  }
  return sums;
}
