import type { Statement } from 'better-sqlite3';

/** Values of one statement: a call costs as much as a row, and more values than these make it no cheaper. */
const valuesPerStatement = 64;

interface Options {
  columns: number;
  /** Writes one row. */
  one: Statement<number[]>;
  /** Writes as many rows as `manyRows` says. */
  many: Statement<number[]>;
}

/** Writes rows of numbers, many of them in one statement, in the transaction of the caller. */
export interface RowWriter {
  /** Takes a row in, which is written at the latest by the next `flush`. */
  add(row: readonly number[]): void;
  /** Writes the rows that wait. */
  flush(): void;
  /** Forgets them, after a transaction was rolled back. */
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
      // One by one: a list would be asked for each of its values, which costs a fifth of the insert.
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
