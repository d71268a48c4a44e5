import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Connection, connect } from '../../../server/platform/database/connect.ts';
import { startApp } from '../../support/app.ts';

let folder: string;
let connection: Connection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-statements-'));
  connection = connect(join(folder, 'some.sqlite'), 'FULL');
  connection.exec(
    "CREATE TABLE links (id INTEGER PRIMARY KEY, alias TEXT); INSERT INTO links VALUES (1, 'a')",
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a statement is compiled once, when first used', () => {
  const compile = vi.spyOn(Database.prototype, 'prepare');
  const statement = connection.prepare('SELECT * FROM links WHERE id = ?');
  expect(compile).not.toHaveBeenCalled();
  for (const id of [1, 1]) expect(statement.get(id)).toEqual({ id: 1, alias: 'a' });
  expect(compile).toHaveBeenCalledTimes(1);
});

test('rows have the requested form, before and after the first use', () => {
  const sql = 'SELECT id, alias FROM links';
  expect(connection.prepare(sql).raw().all()).toEqual([[1, 'a']]);
  expect([...connection.prepare(sql).pluck().iterate()]).toEqual([1]);
  const statement = connection.prepare(sql).pluck();
  expect(statement.get()).toBe(1);
  expect(statement.pluck(false).get()).toEqual({ id: 1, alias: 'a' });
  expect(connection.prepare('DELETE FROM links').run().changes).toBe(1);
});

test('invalid SQL fails each time it is used', () => {
  const statement = connection.prepare('SELECT missing FROM links');
  for (let time = 0; time < 2; time += 1) expect(() => statement.get()).toThrow('no such column: missing');
});

test('every statement of the server matches the schema, and a start compiles few of them', async () => {
  const compile = vi.spyOn(Database.prototype, 'prepare');
  const countOf = async (compilesAll: boolean) => {
    compile.mockClear();
    const server = await startApp({ compilesAll });
    await server.close();
    return compile.mock.calls.length;
  };
  const all = await countOf(true);
  expect(all).toBeGreaterThan(500);
  expect(await countOf(false)).toBeLessThan(all / 4);
});
