import { expect, test } from 'vitest';
import { durationLines } from '../../build/durations.ts';

test('the end of a run names the ten slowest files and what each project took', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({
    project: index % 2 === 0 ? 'unit' : 'e2e',
    file: `test/${index}.test.ts`,
    tests: index,
    milliseconds: index * 1250,
  }));
  const lines = durationLines(files);
  expect(lines).toHaveLength(12);
  expect(lines[0]).toBe('slowest     13.8 s  e2e  test/11.test.ts');
  expect(lines[9]).toBe('slowest      2.5 s  unit  test/2.test.ts');
  expect(lines.slice(10)).toEqual([
    'project     37.5 s  unit: 30 tests in 6 files',
    'project     45.0 s  e2e: 36 tests in 6 files',
  ]);
});
