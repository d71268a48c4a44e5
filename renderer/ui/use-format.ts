import { useNow } from '@vueuse/core';
import { computed, type ShallowRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { useInstanceStore } from '../api/instance.ts';
import { memoize } from './memoize.ts';
import { instantOf, relativeTime } from './timestamps.ts';

/** One clock for all relative times of the page, instead of a timer in each row. */
let sharedNow: ShallowRef<Date> | undefined;

/** Formatters for numbers and times: in the selected language, with the regional conventions of the system. */
export function useFormat() {
  const { locale } = useI18n();
  const store = useInstanceStore();
  sharedNow ??= useNow({ interval: 15_000 });
  const now = sharedNow;

  /** The user's regional variant of the selected language (`en-GB`), else the language itself. */
  const region = computed(() => usersRegion(locale.value, navigator.languages));

  return {
    region,
    /** `48,392`. */
    number: (value: number) => numberFormat(region.value, {}).format(value),
    /** `48.4K`; show the exact number in a tooltip. */
    compactNumber: (value: number) =>
      numberFormat(region.value, { notation: 'compact', maximumFractionDigits: 1 }).format(value),
    /** `+12.4%` of a fraction such as 0.124. */
    change: (fraction: number) =>
      numberFormat(region.value, {
        style: 'percent',
        maximumFractionDigits: Math.abs(fraction) < 1 ? 1 : 0,
        signDisplay: 'exceptZero',
      }).format(fraction),
    /** `42%` of a fraction such as 0.42. */
    percent: (fraction: number) =>
      numberFormat(region.value, { style: 'percent', maximumFractionDigits: 1 }).format(fraction),
    /** Joins names into a list with "and" or "or", or facts into one that English separates by commas alone. */
    list: (texts: readonly string[], type: Intl.ListFormatType = 'conjunction') =>
      new Intl.ListFormat(region.value, { type }).format(texts),
    /** `Dec 24, 2026` of an instant, which is the start of that day in UTC. */
    day: (instant: number) => dayFormat(region.value).format(instant),
    /** The exact time of a wire timestamp, in the account's time zone. */
    timestamp: (timestamp: string) => {
      const instant = instantOf(timestamp, store.timezone);
      return instant ? timestampFormat(region.value, store.timezone).format(instant) : timestamp;
    },
    /** `3 minutes ago`; updates reactively. */
    ago: (timestamp: string) => {
      const instant = instantOf(timestamp, store.timezone);
      return instant ? relativeTime(instant, now.value.getTime(), region.value) : timestamp;
    },
  };
}

/**
 * The variant of `language` among a user's BCP 47 tags, else the language itself; with the digits of the app's own
 * sentences, which are 0 to 9 in Arabic, too. Portuguese without a region is Portugal's, as are the sentences; Intl
 * takes it for Brazil's.
 */
export function regionOf(language: string, tags: readonly string[]): string {
  const found = tags.find((tag) => tag.split('-')[0] === language) ?? language;
  const tag = found === 'pt' ? 'pt-PT' : found;
  const { numberingSystem } = new Intl.NumberFormat(tag).resolvedOptions();
  return numberingSystem === 'latn' ? tag : new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();
}

/** Of each component that formats something, so it is determined once: constructing a format takes a millisecond. */
const usersRegion = memoize(regionOf);

const numberFormat = memoize(
  (locale: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

const dayFormat = memoize(
  (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
);

/** Throws RangeError for a time zone the browser does not know. */
const timestampFormat = memoize(
  (locale: string, timeZone: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
);
