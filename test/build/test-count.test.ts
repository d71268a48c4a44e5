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

test('a file that passes when it runs once more counts as passed, and is named as unsteady', () => {
  const first = [count('steady'), failing('shaken')];
  expect(triedAgain(first)).toEqual([first[1]]);
  expect(withSecondTries(first, [count('shaken')])).toEqual([
    count('steady'),
    count('shaken', { unsteady: ['shaken: its alias is taken'] }),
  ]);
});

test('a file that fails once more, or of which fewer tests run then, has failed', () => {
  const first = [failing('broken'), failing('lost')];
  const second = [failing('broken'), count('lost', { passed: 0 })];
  expect(withSecondTries(first, second)).toEqual(first);
  expect(withSecondTries(first, [])).toEqual(first);
});

test('nothing runs once more where many files fail, or something that belongs to none', () => {
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

test('an error outside of all files counts, though it happens in the second run only', () => {
  const stray = count('', { project: '', passed: 0, failed: ['outside of tests'] });
  expect(withSecondTries([failing('shaken')], [count('shaken'), stray])).toContainEqual(stray);
});

test('a test that failed and is skipped when it is tried again has failed', () => {
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

test('a file with an error outside of its tests does not run once more', () => {
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
