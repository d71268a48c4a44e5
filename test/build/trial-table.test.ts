import { expect, test } from 'vitest';
import { trialTable } from '../../build/trial-table.ts';

test('the table of trials shows attempts, survivals and losses per row and in total', () => {
  const table = trialTable([
    { row: 'kill', what: 'a long name '.repeat(10), tried: 1, survived: 1, lost: 0 },
    { row: 'F-02', what: 'power cut', tried: 200, survived: 199, lost: 12, note: 'FAILED' },
  ]);
  const what = `${'a long name '.repeat(10).slice(0, 71)}…`;
  expect(table.split('\n')).toEqual([
    `row   ${'fault'.padEnd(72)}  tried  survived  lost`,
    `F-02  ${'power cut'.padEnd(72)}    200       199    12  FAILED`,
    `kill  ${what}      1         1     0`,
    `all   ${' '.repeat(72)}    201       200    12`,
  ]);
});
