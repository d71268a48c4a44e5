import { expect, test } from 'vitest';
import { countryCodes } from '../../../renderer/visits/stats/country-codes.ts';
import { continentName, continentOf, continents, countriesOf } from '../../../server/contract/continents.ts';

test('every country is on exactly one continent', () => {
  expect(countryCodes.filter((country) => continentOf(country) === '')).toEqual([]);
  const all = continents.flatMap(countriesOf);
  expect(all.filter((country, index) => all.indexOf(country) !== index)).toEqual([]);
  // Kosovo has no code in ISO 3166, and one that is in use.
  expect(all.filter((country) => !countryCodes.includes(country))).toEqual(['XK']);
});

test("continents are named in the reader's language", () => {
  expect(continents.map((code) => continentName(code, 'en'))).toEqual([
    'Africa',
    'Antarctica',
    'Asia',
    'Europe',
    'North America',
    'Oceania',
    'South America',
  ]);
  expect(continentName('EU', 'de')).toBe('Europa');
  expect(continentName('XX', 'de')).toBe('XX');
});
