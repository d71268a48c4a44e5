import { expect, test } from 'vitest';
import { interleaved } from '../../build/test-order.ts';

test('each list keeps its order and is as far along as the others', () => {
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
