import ipaddr from 'ipaddr.js';
import { continentName, continents } from '../../contract/continents.ts';
import {
  type Condition,
  type ConditionOperator,
  type ConditionType,
  type DeviceName,
  deviceNames,
  type Rule,
} from '../../contract/rules.ts';
import { rejected } from '../../platform/errors.ts';
import { isRange } from '../../platform/http/addresses.ts';
import { parseTimestamp, presentTimestamp } from '../../platform/http/timestamps.ts';
import { canonicalTimezone } from '../../platform/http/timezones.ts';
import { countryCode } from './countries.ts';

/** A condition as stored: codes instead of names, timestamps in UTC milliseconds. */
export type StoredRule = Rule;

const words: ConditionOperator[] = ['is', 'isnot', 'in', 'notin', 'contains', 'startswith'];
const sets: ConditionOperator[] = ['is', 'isnot', 'in', 'notin'];
const operators: Record<ConditionType, ConditionOperator[]> = {
  continent: sets,
  country: sets,
  region: words,
  city: words,
  device: sets,
  os: words,
  browser: words,
  language: [...sets, 'startswith'],
  date: ['before', 'after', 'between'],
  schedule: ['between', 'is'],
  query: words,
  referrer: words,
  ip: sets,
  percentage: ['is', 'between'],
  returning: ['is', 'isnot'],
};

interface Context {
  timezone: string;
  destination: (text: string, field: string) => string;
}

/**
 * Rules in the form that is stored: every value checked against its type, destinations normalized. Moments are read in
 * the account's time zone. Throws 400 that names the rule and condition at fault.
 */
export function readRules(rules: readonly Rule[], context: Context): StoredRule[] {
  return rules.map((rule, index) => ({
    conditions: rule.conditions.map((condition, position) =>
      readCondition(condition, `rules.${index}.conditions.${position}`, context),
    ),
    link: context.destination(rule.link, `rules.${index}.link`),
  }));
}

/** The same rules as a client sees them: moments in the account's time zone again. */
export function presentRules(rules: readonly StoredRule[], timezone: string): Rule[] {
  return rules.map((rule) => ({
    ...rule,
    conditions: rule.conditions.map((condition) =>
      condition.type === 'date'
        ? { ...condition, value: presentDates(condition.value, timezone) }
        : condition,
    ),
  }));
}

function presentDates(value: Condition['value'], timezone: string): Condition['value'] {
  if (Array.isArray(value)) return value.map((at) => presentTimestamp(Number(at), timezone));
  return presentTimestamp(Number(value), timezone);
}

function readCondition(condition: Condition, field: string, { timezone }: Context): Condition {
  const { type, op } = condition;
  if (!operators[type].includes(op)) {
    throw rejected(
      'invalid_operator',
      `${field}.op`,
      `A condition on ${type} takes ${operators[type].join(', ')}.`,
    );
  }
  return { type, op, value: readValue(condition, `${field}.value`, timezone) };
}

function readValue({ type, op, value }: Condition, field: string, timezone: string): Condition['value'] {
  switch (type) {
    case 'continent':
      return mapTexts(value, field, continentCode, `one of ${continents.join(', ')}`);
    case 'country':
      return mapTexts(value, field, (text) => countryCode(text), 'a country by its English name or ISO code');
    case 'device':
      return mapTexts(value, field, deviceName, `one of ${deviceNames.join(', ')}`);
    case 'language':
      return mapTexts(value, field, languageCode, 'a language code such as de or pt-BR');
    case 'ip':
      return mapTexts(value, field, rangeText, 'an address or a range such as 10.0.0.0/8');
    case 'date':
      return readDates(value, op, field, timezone);
    case 'schedule':
      return readSchedule(value, field, timezone);
    case 'percentage':
      if (typeof value === 'number' && value > 0 && value <= 100) return value;
      throw wrongValue(field, 'a number above 0 and up to 100');
    case 'returning':
      if (typeof value === 'boolean') return value;
      throw wrongValue(field, 'true or false');
    default:
      return mapTexts(value, field, (text) => text, 'a text');
  }
}

function readDates(value: Condition['value'], op: ConditionOperator, field: string, timezone: string) {
  const texts = Array.isArray(value) ? value : [value];
  const wanted = op === 'between' ? 2 : 1;
  if (texts.length !== wanted || !texts.every((text) => typeof text === 'string')) {
    throw wrongValue(field, op === 'between' ? 'two moments' : 'a moment such as 2027-01-31 18:00:00');
  }
  const moments = (texts as string[]).map((text, index) =>
    parseTimestamp(text, timezone, index === 1 ? 'end' : 'start', field),
  );
  return op === 'between' ? moments : (moments[0] as number);
}

function readSchedule(value: Condition['value'], field: string, timezone: string): Condition['value'] {
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw wrongValue(field, '{days, from, to, timezone} with at least days or hours');
  }
  const zone = canonicalTimezone(value.timezone ?? timezone);
  if (zone === undefined) throw wrongValue(`${field}.timezone`, 'a time zone such as Europe/Berlin');
  if (!value.days?.length && value.from === undefined && value.to === undefined) {
    throw wrongValue(field, '{days, from, to, timezone} with at least days or hours');
  }
  return { ...value, timezone: zone };
}

function mapTexts(
  value: Condition['value'],
  field: string,
  read: (text: string) => string | undefined,
  expected: string,
): string | string[] {
  const readOne = (entry: unknown): string => {
    const result = typeof entry === 'string' ? read(entry) : undefined;
    if (result === undefined) throw wrongValue(field, expected);
    return result;
  };
  return Array.isArray(value) ? value.map(readOne) : readOne(value);
}

/** The code of a continent, from any case or from its English name. */
function continentCode(text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  return continents.find(
    (code) => code.toLowerCase() === wanted || continentName(code, 'en').toLowerCase() === wanted,
  );
}

/** The device name in the contract's spelling, from any case. */
export function deviceName(text: string): DeviceName | undefined {
  return deviceNames.find((name) => name.toLowerCase() === text.trim().toLowerCase());
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** A language tag in lower case, from a tag or from an English language name. */
export function languageCode(text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  if (/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(wanted) && isKnownLanguage(wanted)) return wanted;
  return twoLetterLanguages().find((code) => languageNames.of(code)?.toLowerCase() === wanted);
}

function isKnownLanguage(tag: string): boolean {
  const [base = tag] = tag.split('-');
  return languageNames.of(base) !== undefined;
}

/** The two-letter language of a tag or an English language name: `pt` of `pt-BR`. Undefined for what has none. */
export function twoLetterLanguage(text: string): string | undefined {
  const [base = ''] = (languageCode(text) ?? '').split('-');
  if (base.length <= 2) return base || undefined;
  // Languages of two letters have codes of three as well: deu is de.
  const short = new Intl.Locale(base).language;
  return short.length === 2 ? short : undefined;
}

let known: string[] | undefined;
function twoLetterLanguages(): string[] {
  if (known) return known;
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  known = letters.flatMap((one) => letters.map((other) => one + other)).filter(isKnownLanguage);
  return known;
}

function rangeText(text: string): string | undefined {
  const range = text.trim();
  if (!isRange(range)) return undefined;
  return range.includes('/') ? range : ipaddr.process(range).toString();
}

function wrongValue(field: string, expected: string) {
  return rejected('invalid_value', field, `Send ${expected}.`);
}
