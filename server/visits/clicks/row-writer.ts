import type { Statement } from 'better-sqlite3';

/** Values per statement: a call costs as much as a row, and larger statements are not cheaper. */
const valuesPerStatement = 64;

interface Options {
  columns: number;
  /** Writes one row. */
  one: Statement<number[]>;
  /** Writes as many rows as `manyRows` says. */
  many: Statement<number[]>;
}

/** Writes rows of numbers, many per statement, in the caller's transaction. */
export interface RowWriter {
  /** Adds a row, which is written by the next `flush` at the latest. */
  add(row: readonly number[]): void;
  /** Writes pending rows. */
  flush(): void;
  /** Discards them after a rollback. */
  drop(): void;
}

/** The parameters of one row of a statement. */
export function oneRow(columns: number): string {
  return `(${Array(columns).fill('?').join(', ')})`;
}

/** Those of all rows of a full statement. */
export function manyRows(columns: number): string {
  return Array(rowsOf(columns)).fill(oneRow(columns)).join(', ');
}

function rowsOf(columns: number): number {
  return Math.floor(valuesPerStatement / columns);
}

export function rowWriter({ columns, one, many }: Options): RowWriter {
  const values = Array<number>(rowsOf(columns) * columns).fill(0);
  let waiting = 0;
  return {
    add(row) {
      for (let column = 0; column < columns; column += 1) values[waiting + column] = row[column] as number;
      waiting += columns;
      if (waiting < values.length) return;
      waiting = 0;
      // Positional: an array would be queried for each of its values, which costs a fifth of the insert.
      many.run(...values);
    },
    flush() {
      const rest = waiting;
      waiting = 0;
      for (let start = 0; start < rest; start += columns) {
        one.run(...values.slice(start, start + columns));
      }
    },
    drop() {
      waiting = 0;
    },
  };
}
