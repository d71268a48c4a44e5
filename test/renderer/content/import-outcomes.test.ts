import { describe, expect, it } from 'vitest';
import {
  countOutcomes,
  knownResult,
  type RowResult,
  withEarlierRows,
} from '../../../renderer/content/import/outcomes.ts';
import { problemFile } from '../../../renderer/content/import/problem-file.ts';
import type { FileRow } from '../../../server/contract/import-rows.ts';

function row(alias: string, url: string, domain?: string): FileRow {
  return { line: 2, cells: [url, alias], row: { url, alias, ...(domain && { domain }) } };
}

const created: RowResult = { outcome: 'create' };

describe('what the rows of a file will do', () => {
  const rows = [
    row('a', 'https://one.example'),
    row('a', 'https://two.example'),
    row('a', 'https://one.example'),
  ];

  it('foresees that an alias is taken by an earlier row of the same file', () => {
    const outcomes = (conflict: 'skip' | 'rename' | 'replace') =>
      withEarlierRows(rows, [created, created, created], conflict).map((result) => result?.outcome);
    expect(outcomes('skip')).toEqual(['create', 'skip', 'exists']);
    expect(outcomes('rename')).toEqual(['create', 'rename', 'exists']);
    expect(outcomes('replace')).toEqual(['create', 'replace', 'replace']);
  });

  it('foresees that settings are replaced where the destination is the same', () => {
    const [first] = rows as [FileRow, ...FileRow[]];
    const changed = { ...first, row: { ...first.row, settings: { redirect: 301 } } };
    const outcomes = (conflict: 'skip' | 'replace') =>
      withEarlierRows([first, first, changed], [created, created, created], conflict).map(
        (result) => result?.outcome,
      );
    expect(outcomes('replace')).toEqual(['create', 'exists', 'replace']);
    expect(outcomes('skip')).toEqual(['create', 'exists', 'exists']);
  });

  it('lets the same alias stand on two domains', () => {
    const two = [row('a', 'https://one.example'), row('a', 'https://two.example', 'go.example')];
    expect(withEarlierRows(two, [created, created], 'skip').map((result) => result?.outcome)).toEqual([
      'create',
      'create',
    ]);
  });

  it('leaves what the server foresaw as it is', () => {
    const foreseen: RowResult = { outcome: 'problem', code: 'invalid_url' };
    expect(withEarlierRows(rows, [foreseen, undefined, created], 'skip')).toEqual([
      foreseen,
      undefined,
      created,
    ]);
  });

  it('counts every outcome, and rows without one not at all', () => {
    const counts = countOutcomes([created, undefined, { outcome: 'skip' }, created]);
    expect(counts).toMatchObject({ create: 2, skip: 1, problem: 0 });
  });

  it('detects broken rows without asking the server', () => {
    expect(knownResult({ ...row('', ''), fault: 'no_url' })).toEqual({ outcome: 'broken', code: 'no_url' });
    expect(knownResult(row('a', 'https://one.example'))).toBeUndefined();
  });
});

describe('the file of rejected rows', () => {
  const heads = { line: 'Line', reason: 'Reason' };

  it('has the original columns, the line and the reason', () => {
    const text = problemFile(
      ['Long URL', 'Short code'],
      [{ row: row('a', 'x, y'), reason: 'No address.' }],
      heads,
    );
    expect(text).toBe('Long URL,Short code,Line,Reason\n"x, y",a,2,No address.');
  });

  it('disarms cells that a spreadsheet would evaluate', () => {
    const text = problemFile(['Long URL'], [{ row: row('', "=cmd|'/C calc'!A0"), reason: '@now' }], heads);
    expect(text).toContain("'=cmd|");
    expect(text).toContain("'@now");
  });
});
