import { describe, expect, test } from 'vitest';
import { editedFields, mergedFields } from '../../../renderer/ui/merge-edits.ts';

const before = { name: 'News', color: '', tags: ['a'], starred: false };

describe('two edits of one record', () => {
  test('keep what only one of them changed, and ask if both did', () => {
    const theirs = { ...before, name: 'Latest', color: 'red' };
    const mine = { ...before, name: 'Weekly', tags: ['a', 'b'] };
    const fields = editedFields(before, theirs, mine);
    expect(fields.map(({ name, taken }) => [name, taken])).toEqual([
      ['name', undefined],
      ['color', 'theirs'],
      ['tags', 'mine'],
    ]);
    // Until somebody has chosen, what was typed stays.
    expect(mergedFields(mine, fields)).toEqual({ ...mine, color: 'red' });
  });

  test('agree if both wrote the same', () => {
    const same = { ...before, name: 'Latest' };
    expect(editedFields(before, same, same)).toEqual([]);
  });
});
