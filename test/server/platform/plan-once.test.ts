import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { planOnce } from '../../../server/platform/database/plan-once.ts';

test.each([
  [
    'SELECT * FROM a JOIN b ON b.id = a.b WHERE a.id = ?',
    'SELECT * FROM a JOIN b ON b.id = a.b WHERE a.id = +?',
  ],
  ['a = @a AND b=? AND c IS @c', 'a = +@a AND b=+? AND c IS +@c'],
  ['a =\n  @a', 'a =\n  +@a'],
  ['a > ? ORDER BY a LIMIT ? OFFSET @b', 'a > ? ORDER BY a LIMIT +? OFFSET +@b'],
  ['a <> ? OR a != ? OR a < ? OR a <= ? OR a >= ?', 'a <> ? OR a != ? OR a < ? OR a <= ? OR a >= ?'],
  ['a IS NOT ? AND a IN (?, ?) AND a = (?) AND a = b', 'a IS NOT ? AND a IN (?, ?) AND a = (?) AND a = b'],
])('a parameter that the planner would look at gets a plus, and no other: %s', (sql, expected) => {
  expect(planOnce(sql)).toBe(expected);
  expect(planOnce(expected)).toBe(expected);
});

test('values of each kind are found and stored as without it, by the same index', () => {
  const connection = new Database(':memory:');
  connection.exec(`CREATE TABLE plain (id INTEGER PRIMARY KEY, word TEXT COLLATE NOCASE, number INTEGER, loose);
    CREATE INDEX by_word ON plain (word, number); CREATE INDEX by_loose ON plain (loose);
    CREATE TABLE other (id INTEGER PRIMARY KEY)`);
  const insert = connection.prepare('INSERT INTO plain (word, number, loose) VALUES (?, ?, ?)');
  const values = ['a', 'A', '1', 1, 1.5, 10n ** 17n, null, Buffer.from('a')];
  for (const value of values) insert.run(value, 1, value);
  const both = (sql: string) => [connection.prepare(sql), connection.prepare(planOnce(sql))] as const;
  for (const column of ['word', 'number', 'loose', 'id']) {
    for (const comparison of ['=', 'IS']) {
      const sql = `SELECT plain.id FROM plain LEFT JOIN other ON other.id = plain.id WHERE plain.${column} ${comparison} ?`;
      const [bare, planned] = both(sql);
      for (const value of values) expect(planned.all(value)).toEqual(bare.all(value));
      const [barePlan, plan] = both(`EXPLAIN QUERY PLAN ${sql}`);
      expect(plan.all(1)).toEqual(barePlan.all(1));
    }
  }
  const stored = connection.prepare('SELECT loose, typeof(loose) AS kind FROM plain WHERE id = 1');
  for (const value of values) {
    const [bare, planned] = both('UPDATE plain SET loose = ? WHERE id = ?');
    bare.run(value, 1);
    const expected = stored.get();
    connection.exec('UPDATE plain SET loose = NULL WHERE id = 1');
    planned.run(value, 1);
    expect(stored.get()).toEqual(expected);
  }
  connection.close();
});
