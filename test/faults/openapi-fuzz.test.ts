import { expect, inject, test } from 'vitest';
import { fuzz } from '../support/openapi-fuzz.ts';
import { times } from '../support/trials.ts';

const total = times({ short: 800, long: 20_000 });

test(`${total} fuzzed requests generated from the OpenAPI document find no problem`, {
  timeout: 1_200_000,
}, async () => {
  // The long form looks where nobody has looked; `fuzz` does the same again with the seed that it prints.
  const seed = inject('isLong') ? Math.floor(Math.random() * 2 ** 31) : 20_261_122;
  console.log(`fuzzer: ${total} requests, seed ${seed}`);
  const { requests, problems, statuses } = await fuzz(total, seed);
  expect(problems).toEqual([]);
  // A few are left out, which would end the fuzzer itself.
  expect(requests).toBeGreaterThanOrEqual(0.99 * total);
  // It reaches behind the door: a good part is done, and not refused.
  expect(statuses[200]).toBeGreaterThan(requests / 5);
});
