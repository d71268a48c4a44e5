import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { whoseTurn } from '../../../server/visits/redirects/rotation.ts';

const turns = (weights: number[], count: number, start = 0) =>
  Array.from({ length: count }, (_, index) => whoseTurn(weights, start + index));

describe('a rotation', () => {
  test('with equal weights takes turns', () => {
    expect(turns([1, 1, 1], 7)).toEqual([0, 1, 2, 0, 1, 2, 0]);
    expect(turns([5, 5], 4)).toEqual([0, 1, 0, 1]);
  });

  test('with one item always returns it', () => {
    expect(turns([7], 3)).toEqual([0, 0, 0]);
  });

  test('gives each exactly its share, wherever it starts', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 12 });
    const start = fc.integer({ min: 0, max: 2 ** 40 });
    fc.assert(
      fc.property(weights, start, (shares, first) => {
        const cycle = shares.reduce((sum, share) => sum + share, 0);
        const counts = shares.map(() => 0);
        for (const index of turns(shares, cycle, first)) counts[index] = (counts[index] ?? 0) + 1;
        expect(counts).toEqual(shares);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  test('spreads a heavy weight instead of bunching it', () => {
    const order = turns([3, 1], 8).join('');
    expect(order).not.toContain('0000');
    expect(order).not.toContain('11');
  });
});
