import { boundedCache } from '../clicks/bounded-cache.ts';
import type { Condition, Rule } from '../contract/rules.ts';
import { rangeCheck } from '../http/addresses.ts';
import { offsetAt } from '../http/timestamps.ts';
import type { KnownVisitor } from './visitors.ts';

/** One visit as rules see it. What costs something is asked for only by the conditions that need it. */
export interface Visit {
  /** UTC milliseconds. */
  readonly at: number;
  readonly visitor: Pick<
    KnownVisitor,
    'hash' | 'address' | 'country' | 'city' | 'devices' | 'os' | 'browser' | 'languages'
  >;
  /** The query of the short link, without the question mark. */
  readonly query: string;
  /** Host and path of the page that the visitor came from; '' when there is none. */
  readonly referrer: string;
  /** Whether the visitor has used this link before, as far as it can be known (decisions, section 6: on this day). */
  isReturning(): boolean;
}

/** Is shown each condition of the rules that are looked at, whether or not the one before it was met. */
export type Witness = (rule: number, condition: Condition, matched: boolean) => void;

/**
 * The index of the first rule of which all conditions match, or -1 (decisions, section 6). Rules are in their stored
 * form: codes instead of names, moments as UTC milliseconds. `linkId` makes the percentages of two links independent.
 * A visit has no witness: it stops at the first condition that is not met.
 */
export function firstMatch(rules: readonly Rule[], visit: Visit, linkId: number, witness?: Witness): number {
  for (let index = 0; index < rules.length; index += 1) {
    const { conditions } = rules[index] as Rule;
    if (witness) {
      for (const condition of conditions) witness(index, condition, matches(condition, visit, linkId));
    }
    if (conditions.every((condition) => matches(condition, visit, linkId))) return index;
  }
  return -1;
}

/** Whether one condition of a rule is met. A condition that cannot be understood is not. */
export function matches(condition: Condition, visit: Visit, linkId: number): boolean {
  const { op, value } = condition;
  const { visitor } = visit;
  switch (condition.type) {
    case 'country':
      return compare(condition, visitor.country === '' ? [] : [visitor.country]);
    case 'city':
      return compare(condition, visitor.city === '' ? [] : [visitor.city]);
    case 'device':
      return compare(condition, visitor.devices);
    case 'os':
      return compare(condition, visitor.os === '' ? [] : [visitor.os]);
    case 'browser':
      return compare(condition, visitor.browser === '' ? [] : [visitor.browser]);
    case 'language':
      return compare(condition, preferredLanguage(visitor.languages));
    case 'referrer':
      return compare(condition, visit.referrer === '' ? [] : referrerForms(visit.referrer));
    case 'query':
      return compareQuery(condition, visit.query);
    case 'ip':
      return rangesOf(condition)(visitor.address) === isPositive(op);
    case 'date':
      return matchesDate(condition, visit.at);
    case 'schedule':
      return matchesSchedule(value, visit.at);
    case 'percentage':
      return matchesPercentage(value, share(visitor.hash, linkId, 'rule'));
    case 'returning':
      return (visit.isReturning() === value) === isPositive(op);
  }
}

/**
 * A number from 0 up to 100 that is the same for every visit of a visitor to a link (on one day, as the hash is).
 * `purpose` keeps the draws for rules and for A/B tests apart.
 */
export function share(visitorHash: number, linkId: number, purpose: 'rule' | 'test'): number {
  // Mixes the bits as MurmurHash3's finaliser does; neighbouring hashes must not fall together.
  let mixed = (visitorHash ^ Math.imul(linkId + (purpose === 'test' ? 0x9e3779b9 : 1), 0x85ebca6b)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32) * 100;
}

/**
 * What conditions are compared with, prepared once and not for every visit. Conditions live as long as the link in the
 * cache that they belong to.
 */
const preparedWords = new WeakMap<Condition, readonly string[]>();
const preparedRanges = new WeakMap<Condition, (address: string) => boolean>();

function wordsOf(condition: Condition): readonly string[] {
  let words = preparedWords.get(condition);
  if (!words) {
    words = texts(condition.value).map((text) => text.toLowerCase());
    preparedWords.set(condition, words);
  }
  return words;
}

function rangesOf(condition: Condition): (address: string) => boolean {
  let isInside = preparedRanges.get(condition);
  if (!isInside) {
    isInside = rangeCheck(texts(condition.value));
    preparedRanges.set(condition, isInside);
  }
  return isInside;
}

/** Compares without regard to case; the negative operators are met when no actual value equals a wanted one. */
function compare(condition: Condition, actual: readonly string[]): boolean {
  const { op } = condition;
  if (actual.length === 0) return !isPositive(op);
  const wanted = wordsOf(condition);
  const equals = (text: string) => wanted.some((one) => text.toLowerCase() === one);
  if (op === 'contains') return actual.some((text) => wanted.some((one) => text.toLowerCase().includes(one)));
  if (op === 'startswith')
    return actual.some((text) => wanted.some((one) => text.toLowerCase().startsWith(one)));
  return actual.some(equals) === isPositive(op);
}

/** `pt-BR` is met by the conditions `pt-br` and `pt`. Only the most wanted language counts. */
function preferredLanguage(languages: readonly string[]): string[] {
  const [first] = languages;
  if (first === undefined) return [];
  const [base = first] = first.split('-', 1);
  return base === first ? [first] : [first, base];
}

/** `news.example.com/page` is met by its host, by its host and path, and by the domain above (`example.com`). */
function referrerForms(referrer: string): readonly string[] {
  const known = knownForms.get(referrer);
  if (known) return known;
  const forms = readReferrerForms(referrer);
  knownForms.set(referrer, forms);
  return forms;
}

const knownForms = boundedCache<string, readonly string[]>(1024);

function readReferrerForms(referrer: string): string[] {
  const [host = ''] = referrer.split('/', 1);
  const labels = host.split('.');
  const domains = labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'));
  return [referrer, host, ...domains];
}

/** `name` asks for the parameter, `name=value` for one of its values. */
function compareQuery({ op, value }: Condition, query: string): boolean {
  if (query === '') return !isPositive(op);
  const parameters = new URLSearchParams(query);
  const isMet = (text: string): boolean => {
    const at = text.indexOf('=');
    const name = at < 0 ? text : text.slice(0, at);
    if (at < 0) {
      if (op === 'startswith') return [...parameters.keys()].some((key) => key.startsWith(name));
      if (op === 'contains') return [...parameters.keys()].some((key) => key.includes(name));
      return parameters.has(name);
    }
    const wanted = text.slice(at + 1).toLowerCase();
    return parameters.getAll(name).some((actual) => {
      const text = actual.toLowerCase();
      if (op === 'startswith') return text.startsWith(wanted);
      return op === 'contains' ? text.includes(wanted) : text === wanted;
    });
  };
  return texts(value).some(isMet) === isPositive(op);
}

function matchesDate({ op, value }: Condition, at: number): boolean {
  if (Array.isArray(value)) {
    const [from, to] = value.map(Number);
    return op === 'between' && from !== undefined && to !== undefined && at >= from && at <= to;
  }
  return op === 'before' ? at < Number(value) : op === 'after' && at >= Number(value);
}

/** Days (Monday is 1) and hours in a time zone. Hours over midnight (22:00 to 06:00) belong to the day they begin on. */
function matchesSchedule(value: Condition['value'], at: number): boolean {
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  const local = localTime(at, value.timezone ?? 'UTC');
  if (!local) return false;
  const { days } = value;
  const from = value.from === undefined ? 0 : minutes(value.from);
  const to = value.to === undefined ? 24 * 60 : minutes(value.to);
  const allows = (day: number) => !days || days.length === 0 || days.includes(day);
  if (from < to) return allows(local.day) && local.minute >= from && local.minute < to;
  if (local.minute >= from) return allows(local.day);
  return local.minute < to && allows(local.day === 1 ? 7 : local.day - 1);
}

interface LocalTime {
  day: number;
  minute: number;
}

/** The last minute that was looked up in each time zone: asking the system takes longer than the rest of a redirect. */
const localTimes = new Map<string, { utcMinute: number; local: LocalTime | undefined }>();

function localTime(at: number, timezone: string): LocalTime | undefined {
  const utcMinute = Math.floor(at / 60_000);
  const known = localTimes.get(timezone);
  if (known?.utcMinute === utcMinute) return known.local;
  const local = readLocalTime(at, timezone);
  // There are about 600 zones; a text that is none comes only out of a damaged row.
  if (localTimes.size > 1000) localTimes.clear();
  localTimes.set(timezone, { utcMinute, local });
  return local;
}

function readLocalTime(at: number, timezone: string): LocalTime | undefined {
  try {
    const local = new Date(at + offsetAt(at, timezone));
    return { day: local.getUTCDay() || 7, minute: local.getUTCHours() * 60 + local.getUTCMinutes() };
  } catch {
    // A time zone that this system does not know: the condition is not met.
    return undefined;
  }
}

/** `HH:MM` as minutes of the day. */
function minutes(text: string): number {
  const digit = (index: number) => text.charCodeAt(index) - 48;
  return (digit(0) * 10 + digit(1)) * 60 + digit(3) * 10 + digit(4);
}

function matchesPercentage(value: Condition['value'], drawn: number): boolean {
  if (!Array.isArray(value)) return drawn < Number(value);
  const [from, to] = value.map(Number);
  return from !== undefined && to !== undefined && drawn >= from && drawn < to;
}

function isPositive(op: Condition['op']): boolean {
  return op !== 'isnot' && op !== 'notin';
}

function texts(value: Condition['value']): string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}
