import { expect, test } from 'vitest';
import { journal } from './journal.ts';

test('a journal finds acknowledged writes that are gone, and ignores unknown ones', () => {
  let moment = 0;
  const written = journal(() => moment);
  const answered = written.send(['one', 'two'], 'new');
  moment = 1;
  answered();
  moment = 2;
  written.send(['one'], 'newer');
  expect(
    written.lost(
      new Map([
        ['one', 'new'],
        ['two', 'new'],
      ]),
    ),
  ).toEqual([]);
  expect(
    written.lost(
      new Map([
        ['one', 'newer'],
        ['two', 'new'],
      ]),
    ),
  ).toEqual([]);
  expect(written.lost(new Map([['one', 'newer']]))).toEqual(['two is absent, not new']);
  expect(
    written.lost(
      new Map([
        ['one', 'old'],
        ['two', 'new'],
      ]),
    ),
  ).toEqual(['one is old, not new or newer']);
});

test('a journal knows what had been acknowledged at an earlier moment', () => {
  let moment = 0;
  const written = journal(() => moment);
  const answered = written.send(['one'], 'new');
  moment = 5;
  answered();
  expect(written.lost(new Map(), 4)).toEqual([]);
  expect(written.lost(new Map(), 5)).toEqual(['one is absent, not new']);
  moment = 7;
  written.send(['one'], 'newer');
  // It was asked for after the moment that is looked at.
  expect(written.lost(new Map([['one', 'newer']]), 6)).toEqual(['one is newer, not new']);
});
