import type { Read } from '../../platform/database/reader.ts';

const dictionaryTextsSql = 'SELECT id, word AS value FROM words WHERE id IN (SELECT value FROM json_each(?))';
const dictionaryIdsSql = 'SELECT id, word AS value FROM words WHERE word IN (SELECT value FROM json_each(?))';

/** The rows of a read; their shape is that of the statement. */
type RowsOf = <Row>(read: Read) => Promise<Row[]>;

/** The texts of words, by id. */
export function dictionaryTexts(rowsOf: RowsOf, ids: readonly number[]): Promise<Map<number, string>> {
  return rowsOf<{ id: number; value: string }>({
    sql: dictionaryTextsSql,
    values: [JSON.stringify(ids)],
  }).then((rows) => new Map(rows.map(({ id, value }) => [id, value])));
}

/** The ids of words, by text; the empty one is 0. */
export function dictionaryIds(rowsOf: RowsOf, texts: readonly string[]): Promise<Map<string, number>> {
  return rowsOf<{ id: number; value: string }>({
    sql: dictionaryIdsSql,
    values: [JSON.stringify(texts)],
  }).then((rows) => new Map([['', 0], ...rows.map(({ id, value }) => [value, id] as const)]));
}
