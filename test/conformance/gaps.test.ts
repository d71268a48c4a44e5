import { describe, expect, test } from 'vitest';
import { gapsOf, readSections } from './gaps.ts';

test('every rule of a closed section of the contract names a test that exists', async () => {
  const sections = await readSections();
  expect(sections.length).toBeGreaterThan(0);
  expect(gapsOf(sections).filter((gap) => gap.closed)).toEqual([]);
});

describe('the list of gaps', () => {
  const file = 'test/conformance/gaps.test.ts';
  const gapsWith = (tests: { file: string; title: string }[]) =>
    gapsOf([{ name: 'Sample', closed: true, rows: [{ id: 'a', rule: 'A rule', tests }] }]);

  test('has rows without a test', () => {
    expect(gapsWith([])).toEqual([
      { section: 'Sample', row: 'a: A rule', problem: 'no test covers this', closed: true },
    ]);
  });

  test('has rows whose test does not exist', () => {
    expect(gapsWith([{ file, title: 'has rows whose test does not exist' }])).toEqual([]);
    expect(gapsWith([{ file, title: 'was never written' }])).toHaveLength(1);
    expect(gapsWith([{ file: 'test/nowhere.test.ts', title: 'x' }])).toHaveLength(1);
  });

  test('has duplicate ids', () => {
    const row = { id: 'a', rule: 'A rule', tests: [{ file, title: 'has duplicate ids' }] };
    expect(gapsOf([{ name: 'Sample', closed: false, rows: [row, row] }])).toHaveLength(1);
  });
});
