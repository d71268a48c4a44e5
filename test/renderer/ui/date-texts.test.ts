import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  dateText,
  isDateValue,
  quickDay,
  readDate,
  readTime,
  timeText,
} from '../../../renderer/ui/date-texts.ts';

/** Those of the six languages, and regions of them that write dates and times in another way. */
const locales = [
  ...['en', 'en-US', 'en-GB', 'en-CA', 'de', 'de-CH', 'fr', 'fr-CA', 'es', 'es-MX'],
  ...['pt', 'pt-PT', 'ar', 'ar-EG', 'ar-SA'],
];
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 16));
const now = '2026-11-23T09:30';

const read = (typed: string, locale = 'en-US', precision: 'day' | 'minute' = 'day') =>
  readDate(typed, { locale, now, precision, otherwise: '08:15' });

describe('a date field', () => {
  test.each(locales)('reads back what it writes in %s', (locale) => {
    fc.assert(
      fc.property(day, (at) => {
        expect(read(dateText(at.slice(0, 10), locale), locale)).toBe(at.slice(0, 10));
        expect(read(dateText(at, locale), locale, 'minute')).toBe(at);
        expect(readTime(timeText(at.slice(11), locale), locale)).toBe(at.slice(11));
      }),
    );
  });

  it.each([
    ['12/24/2026', 'en-US', '2026-12-24'],
    ['24/12/2026', 'en-GB', '2026-12-24'],
    ['24.12.26', 'de', '2026-12-24'],
    ['24.12.', 'de', '2026-12-24'],
    ['1.2.', 'de', '2027-02-01'],
    ['29 Feb', 'en-GB', '2028-02-29'],
    ['2026-12-24', 'de', '2026-12-24'],
    ['dec 24', 'en-US', '2026-12-24'],
    ['24 décembre 2026', 'fr', '2026-12-24'],
    ['24 decembre 2026', 'fr', '2026-12-24'],
    ['24 de diciembre de 2026', 'es', '2026-12-24'],
    ['24. Dezember 2026', 'de', '2026-12-24'],
    ['Dec 24, 2026', 'de', '2026-12-24'],
    ['٢٤ ديسمبر ٢٠٢٦', 'ar', '2026-12-24'],
    ['tomorrow', 'en-US', '2026-11-24'],
    ['Morgen', 'de', '2026-11-24'],
    ['amanha', 'pt', '2026-11-24'],
  ])('reads %s in %s', (typed, locale, meant) => {
    expect(read(typed, locale)).toBe(meant);
  });

  it.each([
    ['12/24/2026 6:30 pm', 'en-US', '2026-12-24T18:30'],
    ['Dec 24, 6pm', 'en-US', '2026-12-24T18:00'],
    ['24.12.2026 18:30', 'de', '2026-12-24T18:30'],
    ['24.12.2026 um 18 Uhr', 'de', '2026-12-24T18:00'],
    ['24/12/2026 à 18h30', 'fr', '2026-12-24T18:30'],
    ['mañana a las 9:05', 'es', '2026-11-24T09:05'],
    ['2026-12-24T18:30', 'ar', '2026-12-24T18:30'],
    ['2026-12-24 18:30:00', 'en-US', '2026-12-24T18:30'],
    // The time that the field has is kept.
    ['12/24/2026', 'en-US', '2026-12-24T08:15'],
  ])('reads %s in %s with its time', (typed, locale, meant) => {
    expect(read(typed, locale, 'minute')).toBe(meant);
  });

  it.each([
    '',
    'x',
    '13/13/2026',
    '2/30/2027',
    '2026',
    '24',
    '1/2/3/4',
    'jui 3',
    '12/24/026',
    '2026-12-24 25:00',
    '12/24/20261',
  ])('does not guess what %j means', (typed) => expect(read(typed, 'en-US', 'minute')).toBeUndefined());

  it('refuses a time if only a day is expected, so as not to lose it', () => {
    expect(read('12/24/2026 18:30')).toBeUndefined();
  });

  it('shows unreadable input as it was typed', () => {
    expect(dateText('next spring', 'en-US')).toBe('next spring');
    expect(isDateValue('next spring')).toBe(false);
  });
});

describe('a time field', () => {
  it.each([
    ['9', '09:00'],
    ['9:30', '09:30'],
    ['0930', '09:30'],
    ['9.30', '09:30'],
    ['9pm', '21:00'],
    ['12 am', '00:00'],
    ['12:15 p.m.', '12:15'],
    ['18h', '18:00'],
  ])('reads %s', (typed, meant) => expect(readTime(typed, 'en-US')).toBe(meant));

  it.each(['', '24:00', '9:60', '13 pm', '0 am', 'noon', '2460'])('does not read %j', (typed) =>
    expect(readTime(typed, 'en-US')).toBeUndefined(),
  );
});

describe('days offered by one click', () => {
  it('are calendar days', () => {
    expect(quickDay('tomorrow', '2026-12-31')).toBe('2027-01-01');
    expect(quickDay('week', '2026-02-25')).toBe('2026-03-04');
    expect(quickDay('month', '2028-02-10')).toBe('2028-02-29');
    expect(quickDay('month', '2026-12-31')).toBe('2026-12-31');
    expect(quickDay('year', '2028-02-29')).toBe('2029-02-28');
  });
});
