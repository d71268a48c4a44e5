import { expect, test } from 'vitest';
import type { Vitest } from 'vitest/node';
import { countTests, type FileCount, triedAgain, withSecondTries } from '../../build/test-count.ts';

const count = (file: string, what: Partial<FileCount> = {}): FileCount => ({
  project: 'unit',
  file,
  passed: 2,
  failed: [],
  outside: [],
  skipped: [],
  left: 0,
  unsteady: [],
  ...what,
});
const failing = (file: string) => count(file, { passed: 1, failed: [`${file}: its alias is taken`] });

test('a file that passes on its second run counts as passed, and is reported as unsteady', () => {
  const first = [count('steady'), failing('shaken')];
  expect(triedAgain(first)).toEqual([first[1]]);
  expect(withSecondTries(first, [count('shaken')])).toEqual([
    count('steady'),
    count('shaken', { unsteady: ['shaken: its alias is taken'] }),
  ]);
});

test('a file that fails again, or runs fewer tests, has failed', () => {
  const first = [failing('broken'), failing('lost')];
  const second = [failing('broken'), count('lost', { passed: 0 })];
  expect(withSecondTries(first, second)).toEqual(first);
  expect(withSecondTries(first, [])).toEqual(first);
});

test('nothing is run again if many files fail, or if an error belongs to no file', () => {
  const many = Array.from({ length: 5 }, (_, index) => failing(String(index)));
  expect(triedAgain(many)).toEqual([]);
  expect(
    withSecondTries(
      many,
      many.map(({ file }) => count(file)),
    ),
  ).toEqual(many);
  expect(triedAgain([failing('one'), failing('')])).toEqual([]);
});

test('an error outside all files counts, even if it only happens in the second run', () => {
  const stray = count('', { project: '', passed: 0, failed: ['outside of tests'] });
  expect(withSecondTries([failing('shaken')], [count('shaken'), stray])).toContainEqual(stray);
});

test('a failed test that is skipped on the second run has failed', () => {
  const first = [failing('evasive')];
  const second = [count('evasive', { passed: 1, skipped: ['its test: not today'] })];
  expect(withSecondTries(first, second)).toEqual(first);
  const skippedBefore = count('partial', {
    failed: ['partial: its alias is taken'],
    skipped: ['on Windows'],
  });
  const again = count('partial', { skipped: ['on Windows'] });
  expect(withSecondTries([skippedBefore], [again])).toMatchObject([{ failed: [], skipped: ['on Windows'] }]);
});

test('a file with an error outside its tests is not run again', () => {
  const moduleOf = (file: string) => ({
    relativeModuleId: file,
    project: { name: 'unit' },
    errors: () => [],
    children: { allSuites: () => [], allTests: () => [] },
  });
  const error = { message: 'a promise nobody waited for', VITEST_TEST_PATH: '/root/test/leaking.test.ts' };
  const files = countTests({
    config: { root: '/root' },
    state: {
      getTestModules: () => ['test/leaking.test.ts', 'test/steady.test.ts'].map(moduleOf),
      getUnhandledErrors: () => [error],
    },
  } as unknown as Vitest);
  expect(files.map(({ failed }) => failed)).toEqual([['outside of tests: a promise nobody waited for'], []]);
  const shaken = failing('shaken');
  expect(triedAgain([...files, shaken])).toEqual([shaken]);
  expect(withSecondTries(files, [count('test/leaking.test.ts')])).toEqual(files);
});
