import { continentOf } from '../../contract/continents.ts';
import type { Condition } from '../../contract/rules.ts';
import type { FoundOfVisitor, SimulationReason } from '../../contract/simulator.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import type { Simulated, SimulatedVisit } from '../../visits/redirects/simulator.ts';

/** What a condition was compared with. */
export interface Explained {
  visitor: SimulatedVisit;
  /** ISO code of the country that the rules saw; '' when unknown. */
  country: string;
  region: string;
  city: string;
  knowsCities: boolean;
  /** The account's, for moments. */
  timezone: string;
}

/** Why a visit ended as it did, for clients that say it in words of their own. */
export function reasonOf({ answer }: Simulated, rules: number, { visitor }: Explained): SimulationReason {
  return {
    code: codeOf(answer),
    rules,
    draw: answer.kind === 'redirect' && answer.by === 'test' ? Math.floor(visitor.draw) : null,
    inapp: answer.kind === 'redirect' && answer.offersBrowser,
  };
}

function codeOf(answer: Simulated['answer']): SimulationReason['code'] {
  switch (answer.kind) {
    case 'redirect':
      return answer.by;
    case 'archived':
      return answer.planned ? 'ended' : 'archived';
    case 'early':
      return answer.location === undefined ? 'early' : 'earlyredirect';
    case 'expired':
      return answer.location === undefined ? 'expired' : 'expiredredirect';
    case 'card':
      // The simulated visitor is not a fetcher of previews.
      throw new Error('a simulated visitor got a card');
    default:
      return answer.kind;
  }
}

/** The visitor's value that a condition compares; null for none. */
export function foundOf({ type, value }: Condition, context: Explained): FoundOfVisitor {
  const { visitor, country, region, city, timezone } = context;
  switch (type) {
    case 'continent':
      return continentOf(country) || null;
    case 'country':
      return country || null;
    case 'region':
      return region || null;
    case 'city':
      return city || null;
    case 'device':
      return visitor.devices.length === 0 ? null : [...visitor.devices];
    case 'os':
      return visitor.os || null;
    case 'browser':
      return visitor.browser || null;
    case 'language':
      return visitor.languages[0] || null;
    case 'referrer':
      return visitor.referrer || null;
    case 'query':
      return visitor.query || null;
    case 'ip':
      return visitor.address || null;
    case 'date':
      return presentTimestamp(visitor.at, timezone);
    case 'schedule':
      return localTime(visitor.at, value);
    case 'percentage':
      return Math.floor(visitor.draw);
    case 'returning':
      return visitor.returning;
  }
}

/** The bundled database has neither regions nor cities, and a rule that can never match must not appear to work. */
export function isUnknownHere({ type }: Condition, { knowsCities }: Explained): boolean {
  return (type === 'city' || type === 'region') && !knowsCities;
}

function localTime(at: number, value: Condition['value']) {
  const timezone = (typeof value === 'object' && !Array.isArray(value) && value.timezone) || 'UTC';
  const local = presentTimestamp(at, timezone);
  const day = new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay() || 7;
  return { day, time: local.slice(11, 16), timezone };
}
