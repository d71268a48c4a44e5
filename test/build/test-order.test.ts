import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interleaved, slowFiles, slowFirst } from '../../build/test-order.ts';

test('each list keeps its order and advances as far as the others', () => {
  expect(interleaved([['a', 'b', 'c', 'd', 'e', 'f'], ['1', '2'], []])).toEqual([
    'a',
    'b',
    '1',
    'c',
    'd',
    'e',
    '2',
    'f',
  ]);
  expect(interleaved([['1'], ['a', 'b', 'c']])).toEqual(['a', '1', 'b', 'c']);
});

test('the known slow files exist and come first, slowest first', () => {
  const root = join(import.meta.dirname, '../..');
  expect(slowFiles.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const paths = ['quick.test.ts', slowFiles[1] ?? '', 'short.test.ts', slowFiles[0] ?? ''];
  expect(slowFirst(paths, (path) => `/clone/${path}`)).toEqual([paths[3], paths[1], paths[0], paths[2]]);
});
