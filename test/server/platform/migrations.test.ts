import { expect, test } from 'vitest';
import { readMigrations } from '../../../server/platform/database/migrate.ts';

test('migrations are read in numeric order', () => {
  const read = readMigrations({ './migrations/0002-more.sql': 'b', './migrations/0001-first.sql': 'a' });
  expect(read.map(({ version, sql }) => [version, sql])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
});

test('two migrations with one number are rejected by name', () => {
  expect(() => readMigrations({ './m/0024-forms.sql': '', './m/0024-keys.sql': '' })).toThrow(
    '0024-forms.sql and 0024-keys.sql have the same number',
  );
});
