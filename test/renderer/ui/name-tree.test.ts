import { describe, expect, test } from 'vitest';
import { indentOf, inTree, isBelow } from '../../../renderer/ui/name-tree.ts';

const shown = (...names: string[]) =>
  inTree(
    names.map((name) => ({ name })),
    'de',
  ).map(({ name, depth }) => `${depth} ${name}`);

describe('names with slashes', () => {
  test('form a tree, whatever else sorts between them', () => {
    expect(shown('print', 'print 2', 'print-3', 'print/2027/fair', 'mail', 'Print/2027')).toEqual([
      '0 mail',
      '0 print',
      '1 Print/2027',
      '2 print/2027/fair',
      '0 print 2',
      '0 print-3',
    ]);
  });

  test('stand in the order of the alphabet, not of the codes of its letters', () => {
    expect(shown('Zebra', 'Äpfel/rot', 'Äpfel', 'Birnen')).toEqual([
      '0 Äpfel',
      '1 Äpfel/rot',
      '0 Birnen',
      '0 Zebra',
    ]);
  });

  test('are below their nearest existing ancestor', () => {
    expect(shown('print/2027/fair', 'print', 'web/2027')).toEqual([
      '0 print',
      '1 print/2027/fair',
      '0 web/2027',
    ]);
    expect(shown('/', 'a//b', 'a', 'a/')).toEqual(['0 /', '0 a', '1 a/', '2 a//b']);
  });

  test('are only below a name that ends at their slash', () => {
    expect(isBelow({ name: 'PRINT/2027' }, { name: 'print' })).toBe(true);
    for (const name of ['print', 'printed/2027', 'print 2/a'])
      expect(isBelow({ name }, { name: 'print' })).toBe(false);
  });

  test('are indented by depth, up to a limit', () => {
    const depths = [0, 1, 2, 3, 9].map((depth) => indentOf({ depth }));
    expect(depths).toEqual(['', 'ps-6', 'ps-10', 'ps-14', 'ps-14']);
  });
});
