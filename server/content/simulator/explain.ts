import { continentName } from '../../contract/continents.ts';
import type { Condition } from '../../contract/rules.ts';
import type { FoundOfVisitor, SimulationReason } from '../../contract/simulator.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import { type Explained, foundOf, isUnknownHere } from './reasons.ts';

/** Why a condition is met or not, in a sentence: what the visitor has, and what the rule asks for. */
export function explainCondition(condition: Condition, matched: boolean, context: Explained): string {
  const actual = actualOf(condition, foundOf(condition, context));
  const joined = matched ? ', and' : ', but';
  const sentence = `${actual}${joined} the rule asks for ${wantedOf(condition, context)}.`;
  if (!isUnknownHere(condition, context)) return sentence;
  const [place, places] = condition.type === 'city' ? ['city', 'cities'] : ['region', 'regions'];
  return `${sentence} This server knows the countries of visitors, not their ${places}: for real visits the ${place} is unknown.`;
}

/** Why a visit ended as it did, in a sentence; `rule` is the index of the one that matched. */
export function explainAnswer(reason: SimulationReason, rule: number | null): string {
  const why = explainCode(reason, rule);
  if (!reason.inapp) return why;
  return `${why} The visitor is in an app's own browser, and is first offered to open it in the phone's browser.`;
}

function explainCode({ code, rules, draw }: SimulationReason, rule: number | null): string {
  const none = rules === 0 ? 'The link has no rules' : 'No rule is met';
  switch (code) {
    case 'rule':
      return `Rule ${(rule ?? 0) + 1} matches and sets the destination.`;
    case 'store':
      return `${none}, so the visitor goes to the app store of the device.`;
    case 'test':
      return `${none}; the visitor's number ${draw} of 100 falls to a variant of the A/B test.`;
    case 'winner':
      return `${none}; the A/B test is over by then, and its winner is used.`;
    case 'link':
      return `${none}, so the link's own destination is used.`;
    case 'password':
      return 'The link asks for its password.';
    case 'archived':
      return 'The link is archived.';
    case 'ended':
      return 'The link is archived or deleted by then.';
    case 'early':
      return 'The link is not active yet at that time.';
    case 'earlyredirect':
      return "The link is not active yet at that time, and redirects to its domain's URL for links that are not active yet.";
    case 'expired':
      return 'The link has expired or reached its click limit.';
    case 'expiredredirect':
      return 'The link has expired or reached its click limit, and redirects to its expiry URL, or its domain’s.';
    case 'unsafe':
      return 'The destination is not a URL that can be sent to a browser.';
  }
}

const countries = new Intl.DisplayNames(['en'], { type: 'region' });

const subjects: Record<Condition['type'], string> = {
  continent: 'The continent',
  country: 'The country',
  region: 'The region',
  city: 'The city',
  device: 'The device',
  os: 'The system',
  browser: 'The browser',
  language: 'The language',
  referrer: 'The referrer',
  query: 'The query',
  ip: 'The address',
  date: 'The moment',
  schedule: 'The local time',
  percentage: 'The number of the visitor',
  returning: 'The visitor',
};

/** What is known of the visitor, as the first half of a sentence. */
function actualOf({ type }: Condition, found: FoundOfVisitor): string {
  const subject = subjects[type];
  if (found === null) {
    const nothing = { referrer: 'is missing', query: 'is empty' }[type as string] ?? 'is not known';
    return `${subject} ${nothing}`;
  }
  if (typeof found === 'boolean')
    return `${subject} ${found ? 'has visited today' : 'is visiting for the first time today'}`;
  if (typeof found === 'number') return `${subject} is ${found} of 100`;
  if (Array.isArray(found)) return `${subject} is ${found.join(', ')}`;
  if (typeof found === 'object')
    return `${subject} is ${dayNames[found.day - 1]} ${found.time} in ${found.timezone}`;
  if (type === 'continent') return `${subject} is ${continentText(found)}`;
  return `${subject} is ${type === 'country' ? countryText(found) : found}`;
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

const orList = new Intl.ListFormat('en', { type: 'disjunction' });
const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function continentText(code: string): string {
  return `${continentName(code, 'en')} (${code})`;
}

function countryText(code: string): string {
  return `${countries.of(code) ?? code} (${code})`;
}

function scheduleText(value: Condition['value']): string {
  if (typeof value !== 'object' || Array.isArray(value)) return 'a time that cannot be read';
  const days = value.days?.length
    ? orList.format(value.days.map((day) => dayNames[day - 1] ?? ''))
    : 'any day';
  if (value.from === undefined && value.to === undefined) return days;
  return `${days} from ${value.from ?? '00:00'} to ${value.to ?? '24:00'}`;
}
