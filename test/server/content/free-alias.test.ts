import { expect, test } from 'vitest';
import { freeAlias } from '../../../server/content/links/aliases.ts';
import { seededIntegers } from '../../support/clock.ts';

test('a random alias is the first free one, and longer if many are taken', () => {
  const tried: string[] = [];
  const alias = freeAlias(seededIntegers())((candidate) => {
    tried.push(candidate);
    return tried.length <= 25;
  });
  expect(alias).toBe(tried[25]);
  expect(new Set(tried).size).toBe(26);
  expect(tried.map(({ length }) => length)).toEqual([
    ...Array(10).fill(6),
    ...Array(10).fill(7),
    ...Array(6).fill(8),
  ]);
});
