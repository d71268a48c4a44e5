import { expect, test } from 'vitest';
import { fuzz } from '../support/openapi-fuzz.ts';

test('20,000 requests of a fuzzer that reads the OpenAPI document find nothing', {
  timeout: 1_200_000,
}, async () => {
  // Another one each time; it is in every problem that is shown, and `fuzz` does the same again with it.
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { requests, problems } = await fuzz(20_000, seed);
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(20_000);
});
