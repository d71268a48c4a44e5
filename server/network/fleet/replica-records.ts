import type { Connection } from '../../platform/database/connect.ts';
import { publicTable, writtenColumns } from './public-tables.ts';
import type { ColumnValue, Unit } from './records.ts';

/** The state that a copy of the origin's public records represents. */
export interface ReplicaPosition {
  fleet: string;
  epoch: number;
  position: number;
  sequence: number;
}

/** Reads a replica's state; undefined if it was never filled. */
export function readPosition(connection: Connection): ReplicaPosition | undefined {
  return connection
    .prepare<[], ReplicaPosition>('SELECT fleet, epoch, position, sequence FROM fleet_replica WHERE id = 1')
    .get();
}

/** Writes a replica's state. Runs inside a transaction. */
export function writePosition(
  connection: Connection,
  { fleet, epoch, position, sequence }: ReplicaPosition,
): void {
  connection
    .prepare<[string, number, number, number]>(
      `INSERT INTO fleet_replica (id, fleet, epoch, position, sequence) VALUES (1, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET fleet = excluded.fleet, epoch = excluded.epoch, position = excluded.position,
         sequence = excluded.sequence`,
    )
    .run(fleet, epoch, position, sequence);
}

/**
 * Puts records in the place of those with the same keys: all of the old ones go first, so that two that have exchanged
 * a name do not meet. Runs inside a transaction, on a connection that does not follow references. Throws for a table or
 * column that edges do not hold.
 */
export function applyRecords(connection: Connection, tables: Unit['tables']): void {
  for (const [name, { keys }] of Object.entries(tables)) {
    const remove = connection.prepare<ColumnValue[]>(removeSql(name));
    for (const key of keys) remove.run(...key);
  }
  for (const [name, { columns, rows }] of Object.entries(tables)) {
    const insert = connection.prepare<[Record<string, ColumnValue>]>(insertSql(name, columns));
    for (const row of rows) {
      insert.run(Object.fromEntries(row.map((value, index) => [`c${index}`, value])));
    }
  }
}

function removeSql(name: string): string {
  const { key } = publicTable(name);
  return `DELETE FROM ${name} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`;
}

function insertSql(name: string, columns: readonly string[]): string {
  const table = publicTable(name);
  const unknown = columns.find((column) => !table.columns.includes(column));
  if (unknown !== undefined) throw new Error(`${name}.${unknown} is no column that edges hold`);
  const { names, values } = writtenColumns({ ...table, columns });
  const given = columns.map((column, index) =>
    table.blobs?.includes(column) ? `unhex(@c${index}) AS ${column}` : `@c${index} AS ${column}`,
  );
  return `INSERT INTO ${name} (${names.join(', ')}) SELECT ${values.join(', ')} FROM (SELECT ${given.join(', ')})`;
}
