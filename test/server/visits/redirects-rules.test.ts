import { describe, expect, test } from 'vitest';
import type { Condition } from '../../../server/contract/rules.ts';
import { conditionTest, type Visit } from '../../../server/visits/redirects/conditions.ts';
import { firstMatch, prepareRules } from '../../../server/visits/redirects/rules.ts';
import { share } from '../../../server/visits/redirects/visitor-share.ts';

const noon = Date.UTC(2027, 0, 15, 12); // a Friday

function visit(
  changes: Partial<Omit<Visit, 'visitor'>> & { visitor?: Partial<Visit['visitor']> } = {},
): Visit {
  return {
    at: noon,
    query: '',
    referrer: () => ({ host: '', path: '', tokens: undefined }),
    isReturning: () => false,
    ...changes,
    visitor: {
      hash: 123_456_789,
      address: '203.0.113.7',
      country: 'DE',
      region: '',
      regionCode: '',
      city: '',
      devices: ['iPhone', 'Mobile'],
      os: 'iOS',
      browser: 'Safari',
      languages: ['de-at', 'en'],
      tokens: undefined,
      ...changes.visitor,
    },
  };
}

const is = (condition: Partial<Condition> & Pick<Condition, 'type' | 'value'>, changes = {}) =>
  conditionTest({ op: 'is', ...condition }, 1)(visit(changes));

describe('conditions', () => {
  test('compare words ignoring case', () => {
    expect(is({ type: 'browser', value: 'SAFARI' })).toBe(true);
    expect(is({ type: 'os', op: 'in', value: ['Android', 'ios'] })).toBe(true);
    expect(is({ type: 'os', op: 'notin', value: ['Android', 'ios'] })).toBe(false);
    expect(is({ type: 'browser', op: 'contains', value: 'far' })).toBe(true);
    expect(is({ type: 'browser', op: 'startswith', value: 'far' })).toBe(false);
  });

  test('for an unknown country only match by negation', () => {
    const unknown = { visitor: { country: '' } };
    expect(is({ type: 'country', value: 'DE' }, unknown)).toBe(false);
    expect(is({ type: 'country', op: 'isnot', value: 'DE' }, unknown)).toBe(true);
  });

  test('for a device accept its name and its kind', () => {
    expect(is({ type: 'device', value: 'iPhone' })).toBe(true);
    expect(is({ type: 'device', value: 'Mobile' })).toBe(true);
    expect(is({ type: 'device', value: 'Desktop' })).toBe(false);
  });

  test('for a language use the preferred one, with or without its region', () => {
    expect(is({ type: 'language', value: 'de' })).toBe(true);
    expect(is({ type: 'language', value: 'de-at' })).toBe(true);
    expect(is({ type: 'language', value: 'de-de' })).toBe(false);
    expect(is({ type: 'language', value: 'en' })).toBe(false);
  });

  test('for a referrer accept its host, its page and the domain above', () => {
    const from = { referrer: () => ({ host: 'news.example.com', path: '/Today', words: undefined }) };
    expect(is({ type: 'referrer', value: 'news.example.com/today' }, from)).toBe(true);
    expect(is({ type: 'referrer', value: 'news.example.com' }, from)).toBe(true);
    expect(is({ type: 'referrer', value: 'example.com' }, from)).toBe(true);
    expect(is({ type: 'referrer', value: 'ample.com' }, from)).toBe(false);
    expect(is({ type: 'referrer', op: 'startswith', value: 'news.' }, from)).toBe(true);
  });

  test('for a referrer accept the whole URL of a page', () => {
    const from = { referrer: () => ({ host: 'news.example.com', path: '/Today', words: undefined }) };
    expect(is({ type: 'referrer', value: 'https://news.example.com/today' }, from)).toBe(true);
    expect(is({ type: 'referrer', value: 'HTTP://www.News.example.com/Today?from=mail#top' }, from)).toBe(
      true,
    );
    expect(is({ type: 'referrer', value: 'https://example.com/' }, from)).toBe(true);
    expect(is({ type: 'referrer', value: 'https://news.example.com/tomorrow' }, from)).toBe(false);
    expect(is({ type: 'referrer', op: 'notin', value: ['https://news.example.com'] }, from)).toBe(false);
    expect(is({ type: 'referrer', op: 'startswith', value: 'https://news.example.com/to' }, from)).toBe(true);
    expect(is({ type: 'referrer', op: 'contains', value: 'https://' }, from)).toBe(false);
  });

  test('for the query accept a name or a value', () => {
    const asked = { query: 'ref=Shop&x' };
    expect(is({ type: 'query', value: 'ref' }, asked)).toBe(true);
    expect(is({ type: 'query', value: 'ref=shop' }, asked)).toBe(true);
    expect(is({ type: 'query', value: 'ref=sho' }, asked)).toBe(false);
    expect(is({ type: 'query', op: 'startswith', value: 'ref=sho' }, asked)).toBe(true);
    expect(is({ type: 'query', op: 'isnot', value: 'y' }, asked)).toBe(true);
  });

  test('for an address accept ranges of both kinds', () => {
    expect(is({ type: 'ip', value: '203.0.113.0/24' })).toBe(true);
    expect(is({ type: 'ip', op: 'in', value: ['10.0.0.0/8', '203.0.113.7'] })).toBe(true);
    expect(is({ type: 'ip', op: 'isnot', value: '2001:db8::/32' })).toBe(true);
  });

  test('for a date include the beginning and exclude the end of "before"', () => {
    expect(is({ type: 'date', op: 'after', value: noon })).toBe(true);
    expect(is({ type: 'date', op: 'before', value: noon })).toBe(false);
    expect(is({ type: 'date', op: 'between', value: [noon - 1, noon + 1] })).toBe(true);
  });

  test('for a schedule use the time zone that it names', () => {
    const office = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', timezone: 'Europe/Berlin' };
    expect(is({ type: 'schedule', op: 'between', value: office })).toBe(true);
    expect(is({ type: 'schedule', op: 'between', value: office }, { at: noon + 4 * 3_600_000 })).toBe(false);
    expect(is({ type: 'schedule', op: 'between', value: { ...office, timezone: 'Asia/Tokyo' } })).toBe(false);
    expect(is({ type: 'schedule', op: 'between', value: { ...office, timezone: 'No/Where' } })).toBe(false);
  });

  test('for a schedule over midnight belong to the day it begins on', () => {
    const night = { days: [5], from: '22:00', to: '06:00', timezone: 'UTC' };
    const saturday = (hour: number) => ({ at: Date.UTC(2027, 0, 16, hour) });
    expect(is({ type: 'schedule', op: 'between', value: night }, saturday(5))).toBe(true);
    expect(is({ type: 'schedule', op: 'between', value: night }, saturday(23))).toBe(false);
    expect(is({ type: 'schedule', op: 'between', value: night }, { at: Date.UTC(2027, 0, 15, 23) })).toBe(
      true,
    );
  });

  test.each([
    ['a type of another version', { type: 'weather', value: 'rain' }],
    ['an address that is none', { type: 'ip', value: 'nowhere' }],
    ['an address that is none, denied', { type: 'ip', op: 'isnot', value: 'nowhere' }],
    ['hours that are no text', { type: 'schedule', op: 'between', value: { from: 9, to: 17 } }],
    ['a date that is none', { type: 'date', op: 'after', value: 'soon' }],
  ])('with %s do not match, and fail for nobody', (_what, damaged) => {
    // As a damaged row, or one of a newer version, has it.
    expect(is(damaged as unknown as Condition)).toBe(false);
  });

  test('for a returning visitor only look it up when needed', () => {
    expect(is({ type: 'returning', value: true }, { isReturning: () => true })).toBe(true);
    expect(is({ type: 'returning', value: false })).toBe(true);
    const neverAsked = () => {
      throw new Error('asked');
    };
    expect(is({ type: 'country', value: 'DE' }, { isReturning: neverAsked })).toBe(true);
  });
});

describe('percentages', () => {
  test('are the same for a visitor every time and spread evenly over visitors', () => {
    const drawn = Array.from({ length: 20_000 }, (_, index) => share(index * 7_919, 42, 'rule'));
    expect(share(7_919, 42, 'rule')).toBe(drawn[1]);
    const below = drawn.filter((value) => value < 30).length / drawn.length;
    expect(below).toBeGreaterThan(0.28);
    expect(below).toBeLessThan(0.32);
  });

  test('of rules and of A/B tests are independent', () => {
    const both = Array.from({ length: 20_000 }, (_, index) => index * 104_729).filter(
      (hash) => share(hash, 1, 'rule') < 50 && share(hash, 1, 'test') < 50,
    );
    expect(both.length / 20_000).toBeGreaterThan(0.23);
    expect(both.length / 20_000).toBeLessThan(0.27);
  });
});

test('the first rule whose conditions all match wins', () => {
  const rule = (link: string, ...conditions: Condition[]) => ({ link, conditions });
  const german: Condition = { type: 'country', op: 'is', value: 'DE' };
  const android: Condition = { type: 'device', op: 'is', value: 'Android' };
  const rules = prepareRules(
    [rule('a', german, android), rule('b', german), rule('c', german)],
    1,
    (address) => address,
  );
  expect(firstMatch(rules, visit())).toBe(1);
  expect(firstMatch(rules, visit({ visitor: { country: 'FR' } }))).toBe(-1);
  expect(rules[1]?.destination()).toBe('b');
});
