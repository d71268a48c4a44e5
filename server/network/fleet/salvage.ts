import { join } from 'node:path';
import { type Connection, openReader } from '../../platform/database/connect.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { openDatabases } from '../../platform/database/open.ts';
import { dictionaryColumns, rareColumns } from '../../visits/clicks/dimensions.ts';
import { readPosition, writePosition } from './replica-records.ts';

/** Data read from a damaged replica. */
export interface Salvaged {
  /** Clicks, and entries of forms, that can be shipped. */
  kept: number;
  /** Those of them that are known to have been there, and cannot be read. */
  lost: number;
}

interface Options {
  /** The folder of the damaged replica; nothing in it is changed. */
  from: string;
  /** A folder that does not exist yet. */
  to: string;
  /** The name of its log: with it and the ids, the origin knows what it already has. */
  log: string;
  migrations: Migration[];
}

type Row = Record<string, number | string | null>;

const rowsAtOnce = 200;
/** The end of a damaged table is unknown: give up after this many missing ids. */
const mostMissing = 20_000;

/**
 * Copies the readable unsent data of a damaged replica into a new one with the same name and ids. It reads row by row
 * if a page is damaged, so that no readable row is lost.
 */
export function salvage({ from, log, migrations, to }: Options): Salvaged {
  const target = openDatabases({ folder: to, migrations, newId: () => log, now: Date.now });
  try {
    target.main.pragma('foreign_keys = 0');
    const source = openSource(from);
    if (!source) return { kept: 0, lost: 0 };
    try {
      return target.main.transaction(() => copyAll(source, target.main)).immediate();
    } finally {
      source.close();
    }
  } finally {
    target.close();
  }
}

function openSource(folder: string): Connection | undefined {
  try {
    return openReader(join(folder, 'waypost.sqlite'));
  } catch {
    // Missing, or not even its first page is one of a database.
    return undefined;
  }
}

function copyAll(source: Connection, target: Connection): Salvaged {
  const at = attempt(() => readPosition(source));
  if (at) writePosition(target, at);
  const shipped =
    attempt(() =>
      source.prepare<[], number>('SELECT position FROM rollup_position WHERE id = 1').pluck().get(),
    ) ?? 0;
  target.prepare<[number]>('UPDATE rollup_position SET position = ? WHERE id = 1').run(shipped);
  const words = dictionaryCopier(source, target);
  const marks = copier(source, target, { table: 'click_marks', key: 'click_id', codes: rareColumns, words });
  const clicks = copier(source, target, { table: 'clicks', key: 'id', codes: dictionaryColumns, words });
  const entries = copier(source, target, { table: 'fleet_entries', key: 'id', codes: [], words });
  const ofClicks = clicks.copy(shipped + 1);
  marks.copy(shipped + 1);
  const ofEntries = entries.copy(1);
  return { kept: ofClicks.kept + ofEntries.kept, lost: ofClicks.lost + ofEntries.lost };
}

/** Copies a text on first use; returns its id, 0 if it is unreadable. */
function dictionaryCopier(source: Connection, target: Connection): (id: number) => number {
  const find = attempt(() => source.prepare<[number], string>('SELECT word FROM words WHERE id = ?').pluck());
  const add = target.prepare<[number, string]>('INSERT OR IGNORE INTO words (id, word) VALUES (?, ?)');
  const known = new Map<number, number>([[0, 0]]);
  return (id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const word = attempt(() => find?.get(id));
    if (word !== undefined) add.run(id, word);
    const kept = word === undefined ? 0 : id;
    known.set(id, kept);
    return kept;
  };
}

interface CopiedTable {
  table: string;
  key: string;
  /** Columns that hold ids of words. */
  codes: readonly string[];
  words: (id: number) => number;
}

function copier(source: Connection, target: Connection, { codes, key, table, words }: CopiedTable) {
  const columnsOf = (connection: Connection) =>
    connection.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  const present = attempt(() => columnsOf(source)) ?? [];
  // One of an older version has fewer.
  const columns = columnsOf(target).filter((column) => present.includes(column));
  const insert = () => target.prepare<[Row]>(insertSql(table, columns));
  // Reading the next row would end on a damaged page.
  const one = () => source.prepare<[number], Row>(oneSql(table, key, columns));
  const next = () => source.prepare<[number], number | null>(nextSql(table, key)).pluck();
  const between = () => source.prepare<[number, number], Row>(betweenSql(table, key, columns));

  /** The last id; undefined where the end of the table cannot be read. */
  const last = attempt(() => source.prepare<[], number | null>(lastSql(table, key)).pluck().get());

  return {
    copy(first: number): Salvaged {
      const found: Salvaged = { kept: 0, lost: 0 };
      if (columns.length === 0) return found;
      const read = between();
      const readOne = one();
      const write = insert();
      const after = next();
      let missing = 0;
      let waiting = 0;
      const take = (rows: readonly Row[]): void => {
        for (const row of rows) {
          for (const code of codes) if (code in row) row[code] = words(Number(row[code]));
          // A damaged page may contain anything.
          const isKept = isSound(row) && attempt(() => write.run(row)) !== undefined;
          found.kept += isKept ? 1 : 0;
          found.lost += isKept ? 0 : 1;
        }
        if (rows.length > 0) [missing, found.lost, waiting] = [0, found.lost + waiting, 0];
      };
      const end = last === undefined ? Number.MAX_SAFE_INTEGER : (last ?? 0);
      for (let start = first; start <= end; start += rowsAtOnce) {
        if (missing >= mostMissing) {
          // Sent rows are deleted, so the first waiting rows may have high ids.
          const next = last === undefined ? undefined : attempt(() => after.get(start));
          if (typeof next !== 'number') break;
          [start, missing] = [next, 0];
        }
        const stop = Math.min(end, start + rowsAtOnce - 1);
        const rows = attempt(() => read.all(start, stop));
        missing += rowsAtOnce;
        if (rows) {
          take(rows);
          continue;
        }
        for (let id = start; id <= stop; id += 1) {
          const row = attempt(() => [readOne.get(id)].filter((each) => each !== undefined));
          if (row) take(row);
          else waiting += 1;
        }
      }
      // Beyond the last readable row, the number of rows is unknown.
      if (last !== undefined) found.lost += waiting;
      return found;
    },
  };
}

/** Whether the origin would accept it: it rejects the whole batch if any part is invalid. */
function isSound(row: Row): boolean {
  if (typeof row.body === 'string') return attempt(() => JSON.parse(row.body as string)) !== undefined;
  return Object.entries(row).every(([name, value]) => {
    if (name === 'address') return value === null || String(value).length <= 100;
    if (name === 'rule' && value === null) return true;
    const most = { source: 4, bot: 1 }[name] ?? Number.MAX_SAFE_INTEGER;
    return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
  });
}

const insertSql = (table: string, columns: readonly string[]) =>
  `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`;
const betweenSql = (table: string, key: string, columns: readonly string[]) =>
  `SELECT ${columns.join(', ')} FROM ${table} WHERE ${key} BETWEEN ? AND ? ORDER BY ${key}`;
const oneSql = (table: string, key: string, columns: readonly string[]) =>
  `SELECT ${columns.join(', ')} FROM ${table} WHERE ${key} = ?`;
const lastSql = (table: string, key: string) => `SELECT max(${key}) FROM ${table}`;
const nextSql = (table: string, key: string) => `SELECT min(${key}) FROM ${table} WHERE ${key} >= ?`;

/** What can be read; undefined where it cannot. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    // A damaged page: whatever else there is may be sound.
    return undefined;
  }
}
