import { expect, test } from 'vitest';
import { fuzz } from '../../support/openapi-fuzz.ts';

// The seed is fixed, so that the same code gives the same answer; test/faults tries others.
test('2,000 valid, nearly valid and hostile requests are answered as the document says, and refusals change nothing', {
  timeout: 240_000,
}, async () => {
  const { requests, problems, statuses } = await fuzz(2_000, 20_261_122);
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(2_000);
  // It reaches behind the door: a good part is done, and not refused.
  expect(statuses[200]).toBeGreaterThan(requests / 5);
});
