import { continentOf } from '../../contract/continents.ts';
import type { Condition } from '../../contract/rules.ts';
import { rangeCheck } from '../../platform/http/addresses.ts';
import { canonicalTimezone } from '../../platform/http/timezones.ts';
import type { Referrer } from '../clicks/click.ts';
import type { KnownVisitor, VisitorTokens } from './known-visitor.ts';
import { readReferrer } from './referrer.ts';
import { scheduleCheck } from './schedule.ts';
import { share } from './visitor-share.ts';

/** One visit as rules see it. Expensive values are computed only by the conditions that need them. */
export interface Visit {
  /** UTC milliseconds. */
  readonly at: number;
  readonly visitor: Pick<
    KnownVisitor,
    | 'hash'
    | 'address'
    | 'country'
    | 'region'
    | 'regionCode'
    | 'city'
    | 'devices'
    | 'os'
    | 'browser'
    | 'languages'
    | 'tokens'
  >;
  /** The query of the short link, without the question mark. */
  readonly query: string;
  /** The page that the visitor came from. */
  referrer(): Pick<Referrer, 'host' | 'path' | 'tokens'>;
  /** Whether the visitor has used this link before, as far as known (decision 0022: on this day). */
  isReturning(): boolean;
}

/** Whether a visit meets a condition. */
export type ConditionTest = (visit: Visit) => boolean;

/**
 * Compiles a stored condition (codes instead of names, timestamps in UTC milliseconds), so that its values are parsed
 * once and not for every visit. `linkId` makes the percentages of two links independent. An unknown condition, from a
 * damaged row or a newer version, does not match; other rules still apply.
 */
export function conditionTest(condition: Condition, linkId: number): ConditionTest {
  try {
    return testOf(condition, linkId);
  } catch {
    return never;
  }
}

function testOf(condition: Condition, linkId: number): ConditionTest {
  const { op, value } = condition;
  const isWanted = isPositive(op);
  switch (condition.type) {
    case 'continent':
    case 'country':
    case 'city':
    case 'device':
    case 'os':
    case 'browser':
    case 'language': {
      const { type } = condition;
      const compare = comparison(condition);
      return ({ visitor }) => compare(wordsOf(visitor)[type]);
    }
    case 'region':
      return regionTest(condition);
    case 'referrer': {
      const compare = comparison({ op, value: texts(value).map(pageOf) });
      return (visit) => compare(referrerTokens(visit.referrer()));
    }
    case 'query':
      return queryTest(condition);
    case 'ip': {
      const isInside = rangeCheck(texts(value));
      return ({ visitor }) => isInside(visitor.address) === isWanted;
    }
    case 'date':
      return dateTest(condition);
    case 'schedule': {
      if (typeof value !== 'object' || Array.isArray(value)) return never;
      // In another zone, it would be fulfilled at the wrong hours.
      if (canonicalTimezone(value.timezone ?? 'UTC') === undefined) return never;
      const isWithin = scheduleCheck(value);
      return ({ at }) => isWithin(at);
    }
    case 'percentage': {
      const [from, to] = Array.isArray(value) ? value.map(Number) : [0, Number(value)];
      if (from === undefined || to === undefined) return never;
      return ({ visitor }) => {
        const drawn = share(visitor.hash, linkId, 'rule');
        return drawn >= from && drawn < to;
      };
    }
    case 'returning':
      return (visit) => (visit.isReturning() === value) === isWanted;
    default:
      return never;
  }
}

const never: ConditionTest = () => false;

/** Case-insensitive comparison; the negative operators match if no actual value equals a wanted one. */
function comparison({ op, value }: Pick<Condition, 'op' | 'value'>): (actual: readonly string[]) => boolean {
  const wanted = texts(value).map((text) => text.toLowerCase());
  const [only = ''] = wanted;
  const isWanted = isPositive(op);
  if (op === 'contains') return (actual) => actual.some((word) => wanted.some((one) => word.includes(one)));
  if (op === 'startswith')
    return (actual) => actual.some((word) => wanted.some((one) => word.startsWith(one)));
  if (wanted.length === 1) return (actual) => actual.includes(only) === isWanted;
  return (actual) => actual.some((word) => wanted.includes(word)) === isWanted;
}

/**
 * A region is given as the geolocation database names it, or by its code (`US-CA`) if the database has codes. Codes
 * must match completely: with `contains` and `startswith` a text may be part of a name as well.
 */
function regionTest({ op, value }: Condition): ConditionTest {
  const wanted = texts(value).map((text) => text.trim().toLowerCase());
  const codes = wanted.filter((text) => /^[a-z]{2}-[a-z0-9]{1,3}$/.test(text));
  const isPart = op === 'contains' || op === 'startswith';
  const names = isPart ? wanted : wanted.filter((text) => !codes.includes(text));
  const isNamed = names.length > 0 ? comparison({ op: isPart ? op : 'in', value: names }) : () => false;
  const isWanted = isPositive(op);
  return ({ visitor }) => {
    const { region, regionCode } = wordsOf(visitor);
    const isCoded = [...region, ...regionCode].some((word) => codes.includes(word));
    return (isCoded || isNamed(region)) === isWanted;
  };
}

/** Computed once per visitor, and only if a rule needs it. */
function wordsOf(visitor: Visit['visitor']): VisitorTokens {
  visitor.tokens ??= {
    continent: known(continentOf(visitor.country)),
    country: known(visitor.country),
    region: known(visitor.region),
    regionCode: known(visitor.regionCode),
    city: known(visitor.city),
    device: visitor.devices.map((name) => name.toLowerCase()),
    os: known(visitor.os),
    browser: known(visitor.browser),
    language: preferredLanguage(visitor.languages),
  };
  return visitor.tokens;
}

function known(text: string): readonly string[] {
  return text === '' ? [] : [text.toLowerCase()];
}

/** `pt-br` matches the conditions `pt-br` and `pt`. Only the most preferred language counts. */
function preferredLanguage([first]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const tag = first.toLowerCase();
  const [base = tag] = tag.split('-', 1);
  return base === tag ? [tag] : [tag, base];
}

/** `news.example.com/page` matches its host, its host and path, and the parent domain (`example.com`). */
function referrerTokens(referrer: ReturnType<Visit['referrer']>): readonly string[] {
  referrer.tokens ??= readReferrerTokens(referrer.host.toLowerCase(), referrer.path.toLowerCase());
  return referrer.tokens;
}

function readReferrerTokens(host: string, path: string): readonly string[] {
  if (host === '') return [];
  const labels = host.split('.');
  const domains = labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'));
  return [host + path, host, ...domains];
}

/** A page may be given as a full URL, such as `https://www.news.example/a?b`; visits store host and path. */
function pageOf(text: string): string {
  const { host, path } = readReferrer(text.trim());
  return host === '' ? text : host + path;
}

/** `name` tests for the parameter, `name=value` for one of its values. */
function queryTest({ op, value }: Condition): ConditionTest {
  const wanted = texts(value);
  const isWanted = isPositive(op);
  return ({ query }) => {
    if (query === '') return !isWanted;
    const parameters = new URLSearchParams(query);
    return wanted.some((text) => isInQuery(text, op, parameters)) === isWanted;
  };
}

function isInQuery(text: string, op: Condition['op'], parameters: URLSearchParams): boolean {
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  if (at < 0) {
    if (op === 'startswith') return [...parameters.keys()].some((key) => key.startsWith(name));
    if (op === 'contains') return [...parameters.keys()].some((key) => key.includes(name));
    return parameters.has(name);
  }
  const wanted = text.slice(at + 1).toLowerCase();
  return parameters.getAll(name).some((given) => {
    const actual = given.toLowerCase();
    if (op === 'startswith') return actual.startsWith(wanted);
    return op === 'contains' ? actual.includes(wanted) : actual === wanted;
  });
}

/** "Before" excludes its timestamp; "after" and "between" include theirs. */
function dateTest({ op, value }: Condition): ConditionTest {
  if (Array.isArray(value)) {
    const [from, to] = value.map(Number);
    if (op !== 'between' || from === undefined || to === undefined) return never;
    return ({ at }) => at >= from && at <= to;
  }
  const timestamp = Number(value);
  if (op === 'before') return ({ at }) => at < timestamp;
  return op === 'after' ? ({ at }) => at >= timestamp : never;
}

function isPositive(op: Condition['op']): boolean {
  return op !== 'isnot' && op !== 'notin';
}

function texts(value: Condition['value']): string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}
