import { continentName, continentOf } from '../../contract/continents.ts';
import type { Condition } from '../../contract/rules.ts';
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

/** Why a condition is met or not, in a sentence: what the visitor has, and what the rule asks for. */
export function explainCondition(condition: Condition, matched: boolean, context: Explained): string {
  const [subject, actual] = actualOf(condition, context);
  const joined = matched ? ', and' : ', but';
  return `${subject} ${actual}${joined} the rule asks for ${wantedOf(condition, context)}.${noteOf(condition, context)}`;
}

/** Why a visit ended as it did, in a sentence. */
export function explainAnswer(found: Simulated, ruleCount: number, context: Explained): string {
  const why = explainKind(found, ruleCount, context);
  const { answer } = found;
  if (answer.kind !== 'redirect' || !answer.offersBrowser) return why;
  return `${why} The visitor is in an app's own browser, and is first offered to open it in the phone's browser.`;
}

function explainKind({ answer }: Simulated, ruleCount: number, { visitor }: Explained): string {
  switch (answer.kind) {
    case 'redirect': {
      const none = ruleCount === 0 ? 'The link has no rules' : 'No rule is met';
      if (answer.by === 'rule') return `Rule ${(answer.rule ?? 0) + 1} matches and sets the destination.`;
      if (answer.by === 'store') return `${none}, so the visitor goes to the app store of the device.`;
      if (answer.by === 'test') {
        const number = Math.floor(visitor.draw);
        return `${none}; the visitor's number ${number} of 100 falls to a variant of the A/B test.`;
      }
      if (answer.by === 'winner') return `${none}; the A/B test is over by then, and its winner is used.`;
      return `${none}, so the link's own destination is used.`;
    }
    case 'password':
      return 'The link asks for its password.';
    case 'archived':
      return answer.planned ? 'The link is archived or deleted by then.' : 'The link is archived.';
    case 'early':
      return answer.location === undefined
        ? 'The link is not active yet at that time.'
        : "The link is not active yet at that time, and redirects to its domain's URL for links that are not active yet.";
    case 'expired':
      return answer.location === undefined
        ? 'The link has expired or reached its click limit.'
        : 'The link has expired or reached its click limit, and redirects to its expiry URL, or its domain’s.';
    case 'unsafe':
      return 'The destination is not a URL that can be sent to a browser.';
    case 'card':
      return 'The visitor is a link preview bot.';
  }
}

const countries = new Intl.DisplayNames(['en'], { type: 'region' });

/** Subject and what is known of it, as two parts of a sentence. */
function actualOf({ type, value }: Condition, context: Explained): [subject: string, actual: string] {
  const { visitor, country, region, city, timezone } = context;
  const known = (text: string) => (text === '' ? 'is not known' : `is ${text}`);
  switch (type) {
    case 'continent':
      return ['The continent', known(continentText(continentOf(country)))];
    case 'country':
      return ['The country', known(country === '' ? '' : countryText(country))];
    case 'region':
      return ['The region', known(region)];
    case 'city':
      return ['The city', known(city)];
    case 'device':
      return ['The device', known(visitor.devices.join(', '))];
    case 'os':
      return ['The system', known(visitor.os)];
    case 'browser':
      return ['The browser', known(visitor.browser)];
    case 'language':
      return ['The language', known(visitor.languages[0] ?? '')];
    case 'referrer':
      return ['The referrer', visitor.referrer === '' ? 'is missing' : `is ${visitor.referrer}`];
    case 'query':
      return ['The query', visitor.query === '' ? 'is empty' : `is ${visitor.query}`];
    case 'ip':
      return ['The address', known(visitor.address)];
    case 'date':
      return ['The moment', `is ${presentTimestamp(visitor.at, timezone)}`];
    case 'schedule':
      return ['The local time', `is ${scheduleTimestamp(visitor.at, value)}`];
    case 'percentage':
      return ['The number of the visitor', `is ${Math.floor(visitor.draw)} of 100`];
    case 'returning':
      return [
        'The visitor',
        visitor.returning ? 'has visited today' : 'is visiting for the first time today',
      ];
  }
}

function wantedOf({ type, op, value }: Condition, { timezone }: Explained): string {
  const texts = (Array.isArray(value) ? value : [value]).map((one) =>
    type === 'country'
      ? countryText(String(one))
      : type === 'continent'
        ? continentText(String(one))
        : String(one),
  );
  const list = orList.format(texts);
  switch (type) {
    case 'date': {
      const moments = (Array.isArray(value) ? value : [value]).map((at) =>
        presentTimestamp(Number(at), timezone),
      );
      return op === 'between' ? `a time from ${moments.join(' to ')}` : `a time ${op} ${moments[0] ?? ''}`;
    }
    case 'schedule':
      return scheduleText(value);
    case 'percentage':
      return Array.isArray(value) ? `numbers from ${texts.join(' to ')}` : `numbers below ${list}`;
    case 'returning': {
      const wantsReturning = (value === true) === (op === 'is' || op === 'in');
      return wantsReturning ? 'a returning visitor' : 'a visitor who is new today';
    }
    default:
      if (op === 'contains') return `${list} in it`;
      if (op === 'startswith') return `${list} at its start`;
      return op === 'isnot' || op === 'notin' ? `anything but ${list}` : list;
  }
}

/** What is bundled knows neither regions nor cities, and a rule that nobody meets must not look as if it worked. */
function noteOf({ type }: Condition, { knowsCities }: Explained): string {
  if ((type !== 'city' && type !== 'region') || knowsCities) return '';
  const places = type === 'city' ? 'cities' : 'regions';
  return ` This server knows the countries of visitors, not their ${places}: for real visits the ${type} is unknown.`;
}

const orList = new Intl.ListFormat('en', { type: 'disjunction' });
const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function continentText(code: string): string {
  return code === '' ? '' : `${continentName(code, 'en')} (${code})`;
}

function countryText(code: string): string {
  return `${countries.of(code) ?? code} (${code})`;
}

function scheduleTimestamp(at: number, value: Condition['value']): string {
  const zone = (typeof value === 'object' && !Array.isArray(value) && value.timezone) || 'UTC';
  const local = presentTimestamp(at, zone);
  const day = new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay() || 7;
  return `${dayNames[day - 1]} ${local.slice(11, 16)} in ${zone}`;
}

function scheduleText(value: Condition['value']): string {
  if (typeof value !== 'object' || Array.isArray(value)) return 'a time that cannot be read';
  const days = value.days?.length
    ? orList.format(value.days.map((day) => dayNames[day - 1] ?? ''))
    : 'any day';
  if (value.from === undefined && value.to === undefined) return days;
  return `${days} from ${value.from ?? '00:00'} to ${value.to ?? '24:00'}`;
}
