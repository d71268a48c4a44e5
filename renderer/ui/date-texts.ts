import { memoize } from './memoize.ts';

/** The precision of a date field. */
export type DatePrecision = 'day' | 'minute';

/** Quick choices, relative to today. */
export type QuickDay = 'tomorrow' | 'week' | 'month' | 'year';
export const quickDays: readonly QuickDay[] = ['tomorrow', 'week', 'month', 'year'];

/** `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM` in the account's time zone. */
const wireDate = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?$/;
const wireTime = /^(\d\d):(\d\d)$/;

/** Whether `value` is a date (and time) in form format, as opposed to unparsed text. */
export function isDateValue(value: string): boolean {
  return wireDate.test(value);
}

/** Whether `value` is `HH:MM`. */
export function isTimeValue(value: string): boolean {
  return wireTime.test(value);
}

/** A date, or date and time, formatted for `locale`; other text is returned unchanged. */
export function dateText(value: string, locale: string): string {
  const parts = wireDate.exec(value);
  if (!parts) return value;
  const [year, month, day, hour, minute] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const hasTime = parts[4] !== undefined;
  return dateFormat(locale, hasTime).format(
    Date.UTC(year, month - 1, day, hasTime ? hour : 0, hasTime ? minute : 0),
  );
}

/** `HH:MM` formatted for `locale`; other text is returned unchanged. */
export function timeText(value: string, locale: string): string {
  const parts = wireTime.exec(value);
  return parts ? timeFormat(locale).format(Date.UTC(2000, 0, 1, Number(parts[1]), Number(parts[2]))) : value;
}

/**
 * Parses a typed date (and time): in the format of `locale`, as ISO 8601, with a numeric or named month, without a year
 * (the next such date), or as a word (tomorrow). Returns undefined if it is none of these. `now` is the wall clock of
 * the account, `YYYY-MM-DDTHH:MM`; `otherwise` is the time used if none was typed.
 */
export function readDate(
  typed: string,
  {
    locale,
    now,
    precision,
    otherwise,
  }: { locale: string; now: string; precision: DatePrecision; otherwise: string },
): string | undefined {
  const text = plainText(typed);
  const timed = /^(\d{4}-\d\d?-\d\d?)[t ](.+)$/.exec(text) ?? splitTime(text, locale);
  const day = readDay(timed?.[1] ?? text, locale, now.slice(0, 10));
  if (day === undefined) return undefined;
  if (precision === 'day') return timed ? undefined : day;
  const time = timed ? readTime(timed[2] ?? '', locale) : otherwise;
  return time && `${day}T${time}`;
}

/** Parses a typed time of day to `HH:MM`; undefined if it is not a time. */
export function readTime(typed: string, locale: string): string | undefined {
  const text = plainText(typed);
  const parts = /^(\d{1,2})(?:\s*[:.h]\s*(\d\d))?(?::\d\d(?:\.\d+)?)?\s*(?:uhr|h)?\s*(\D*)$/.exec(text);
  const [hours, minutes] = parts
    ? [Number(parts[1]), Number(parts[2] ?? 0)]
    : /^\d{4}$/.test(text)
      ? [Number(text.slice(0, 2)), Number(text.slice(2))]
      : [Number.NaN, 0];
  const half = halfOfDay(parts?.[3] ?? '', locale);
  if (
    half === undefined ||
    minutes > 59 ||
    !(hours <= (half === '' ? 23 : 12)) ||
    (half !== '' && hours === 0)
  )
    return undefined;
  const hour = half === '' ? hours : (hours % 12) + (half === 'pm' ? 12 : 0);
  return `${pad(hour)}:${pad(minutes)}`;
}

/** The date of a quick choice: tomorrow, in a week, the last day of the month, in a year. `today` is `YYYY-MM-DD`. */
export function quickDay(choice: QuickDay, today: string): string {
  const [year, month, day] = today.split('-').map(Number) as [number, number, number];
  if (choice === 'month') return iso(Date.UTC(year, month, 0));
  // Clamped to the month's last day: a year after February 29 is February 28.
  if (choice === 'year') return iso(Date.UTC(year + 1, month - 1, Math.min(day, lastDay(year + 1, month))));
  return iso(Date.UTC(year, month - 1, day + (choice === 'week' ? 7 : 1)));
}

/**
 * Normalizes input for parsing: lowercase, no accents (often omitted when typing), ASCII digits, no invisible
 * characters, plain spaces.
 */
function plainText(typed: string): string {
  return typed
    .normalize('NFKD')
    .replace(/[\p{Cf}\p{M}]/gu, '')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Splits off a time at the end of the text. A time has a colon, an `h`, or an AM/PM marker. */
function splitTime(text: string, locale: string): RegExpExecArray | undefined {
  const halves = [...halfWords(locale).am, ...halfWords(locale).pm].map((word) => escaped(word));
  const half = `(?:${halves.join('|')})`;
  const time = `\\d{1,2}\\s*[:h]\\s*\\d\\d(?::\\d\\d)?\\s*(?:uhr|${half})?|\\d{1,2}\\s*(?:uhr|h|${half})`;
  return (
    new RegExp(`^(.+?)[\\s,،]+(?:um |at |a |as |a las |a la |في )?(${time})$`, 'u').exec(text) ?? undefined
  );
}

function readDay(text: string, locale: string, today: string): string | undefined {
  const inWords = [0, 1, -1].find((days) => plainText(relativeDay(locale).format(days, 'day')) === text);
  const [year, month, day] = today.split('-').map(Number) as [number, number, number];
  if (inWords !== undefined) return iso(Date.UTC(year, month - 1, day + inWords));

  const groups = text.match(/\d+|\p{L}+/gu) ?? [];
  const named = groups.map((group) => monthNamed(group, locale)).find((found) => found !== undefined);
  const figures = groups.filter((group) => /^\d+$/.test(group));
  if (figures.some((group) => group.length > 4)) return undefined;
  if (named !== undefined) {
    const years = figures.filter((group) => group.length === 4);
    const [first, second] = figures.filter((group) => group.length < 3);
    if (first === undefined || figures.length > 2) return undefined;
    return dayOf(years[0] ?? second, named, Number(first), today);
  }
  if (/\p{L}/u.test(text)) return undefined;
  if (figures[0]?.length === 4) {
    return figures.length === 3
      ? dayOf(figures[0], Number(figures[1]), Number(figures[2]), today)
      : undefined;
  }
  if (figures.length < 2 || figures.length > 3) return undefined;
  const order = figureOrder(locale).filter((part) => part !== 'year' || figures.length === 3);
  const figure = (part: string) => figures[order.indexOf(part)];
  return dayOf(figure('year'), Number(figure('month')), Number(figure('day')), today);
}

/** The date as `YYYY-MM-DD`, or undefined if it does not exist; without a year, the next such date from `today` on. */
function dayOf(typedYear: string | undefined, month: number, day: number, today: string): string | undefined {
  const thisYear = Number(today.slice(0, 4));
  const exists = (year: number) => month >= 1 && month <= 12 && day >= 1 && day <= lastDay(year, month);
  if (typedYear !== undefined) {
    const year = typedYear.length <= 2 ? 2000 + Number(typedYear) : Number(typedYear);
    return typedYear.length !== 3 && exists(year) ? iso(Date.UTC(year, month - 1, day)) : undefined;
  }
  // A leap year comes within four years, except around 2100, when it takes eight.
  return Array.from({ length: 9 }, (_, years) => thisYear + years)
    .filter(exists)
    .map((year) => iso(Date.UTC(year, month - 1, day)))
    .find((date) => date >= today);
}

/**
 * The month (1–12) whose name starts with the word, if at least three letters identify it uniquely; English names
 * always work.
 */
function monthNamed(word: string, locale: string): number | undefined {
  if (word.length < 3) return undefined;
  const fitting = [locale, 'en'].map((language) =>
    monthNames(language).flatMap((names, index) =>
      names.some((name) => name.startsWith(word)) ? [index + 1] : [],
    ),
  );
  return fitting.find((months) => months.length === 1)?.[0];
}

/** Parses an AM/PM marker; '' if there is none, undefined for any other word. */
function halfOfDay(word: string, locale: string): 'am' | 'pm' | '' | undefined {
  const text = word.trim();
  if (text === '') return '';
  const { am, pm } = halfWords(locale);
  return am.includes(text) ? 'am' : pm.includes(text) ? 'pm' : undefined;
}

const pad = (figure: number) => String(figure).padStart(2, '0');
const iso = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const lastDay = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** UTC, because the wall-clock time itself is formatted; Gregorian, because other calendars have different years. */
const asWritten = { timeZone: 'UTC', calendar: 'gregory' } as const;

const dateFormat = memoize(
  (locale: string, hasTime: boolean) =>
    new Intl.DateTimeFormat(locale, {
      ...asWritten,
      dateStyle: 'medium',
      timeStyle: hasTime ? 'short' : undefined,
    }),
);
const timeFormat = memoize(
  (locale: string) => new Intl.DateTimeFormat(locale, { ...asWritten, timeStyle: 'short' }),
);
const relativeDay = memoize((locale: string) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

/** The order of day, month and year in the numeric dates of `locale`. */
const figureOrder = memoize((locale: string): string[] =>
  new Intl.DateTimeFormat(locale, { ...asWritten, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(0)
    .map(({ type }) => String(type))
    .filter((type) => ['day', 'month', 'year'].includes(type)),
);

/** Names of each month, standalone and within a date, long and short. */
const monthNames = memoize((locale: string): string[][] =>
  Array.from({ length: 12 }, (_, month) =>
    (['long', 'short'] as const).flatMap((style) =>
      [{ month: style }, { month: style, day: 'numeric', year: 'numeric' } as const].flatMap((wanted) =>
        new Intl.DateTimeFormat(locale, { ...asWritten, ...wanted })
          .formatToParts(Date.UTC(2001, month, 1))
          .filter(({ type }) => type === 'month')
          .map(({ value }) => plainText(value).replace(/\.$/, '')),
      ),
    ),
  ),
);

/** AM and PM markers: in English, and in `locale`. */
const halfWords = memoize((locale: string) => {
  const inLocale = (hour: number) =>
    new Intl.DateTimeFormat(locale, { ...asWritten, hour: 'numeric', hour12: true })
      .formatToParts(Date.UTC(2000, 0, 1, hour))
      .filter(({ type }) => type === 'dayPeriod')
      .map(({ value }) => plainText(value));
  return {
    am: ['am', 'a.m.', 'a. m.', 'a', ...inLocale(9)],
    pm: ['pm', 'p.m.', 'p. m.', 'p', ...inLocale(21)],
  };
});
