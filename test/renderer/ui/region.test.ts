import { expect, it } from 'vitest';
import { regionOf } from '../../../renderer/ui/use-format.ts';

const number = (language: string, tags: readonly string[]) =>
  new Intl.NumberFormat(regionOf(language, tags)).format(12_345.6);

it.each([
  ['de', ['en-US', 'de-CH', 'de'], 'de-CH'],
  ['de', ['en-US'], 'de'],
  ['pt', ['pt-BR', 'pt'], 'pt-BR'],
  ['pt', ['en-US'], 'pt-PT'],
  ['pt', ['pt'], 'pt-PT'],
])('numbers and dates in %s for %j are those of %s', (language, tags, region) => {
  expect(regionOf(language, tags)).toBe(region);
});

it.each([['ar-EG'], ['ar-SA'], ['ar-AE'], ['ar']])(
  'numbers in Arabic have the digits of its sentences, for %s, too',
  (tag) => {
    expect(number('ar', [tag])).toMatch(/^[0-9.,]+$/);
    expect(new Intl.DateTimeFormat(regionOf('ar', [tag]), { dateStyle: 'medium' }).format(0)).toMatch(/1970/);
  },
);
