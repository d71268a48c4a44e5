import type { Condition, DeviceName } from '../../contract/rules.ts';
import type { Geolocation } from './geolocation.ts';
import { type AddressChecks, type LinkRow, readLink } from './link-record.ts';
import { textsFor } from './pages/texts.ts';
import type { TypePages } from './pages/type-pages.ts';
import type { RedirectQueries } from './queries.ts';
import { type Answer, resolve } from './resolve.ts';
import { share } from './visitor-share.ts';

/** A simulated visit. Texts are '' if unknown. */
export interface SimulatedVisit {
  /** UTC milliseconds. */
  at: number;
  address: string;
  /** ISO code; undefined to derive it from the address. */
  country: string | undefined;
  /** Undefined to derive it from the address. */
  region: string | undefined;
  city: string | undefined;
  devices: readonly DeviceName[];
  os: string;
  browser: string;
  languages: readonly string[];
  /** Whether an app's own browser is used, such as Instagram's. */
  inApp: boolean;
  /** Without the question mark. */
  query: string;
  /** Host and path. */
  referrer: string;
  returning: boolean;
  /** Whether the link's password was entered. */
  unlocked: boolean;
  /** The visitor's number from 0 to below 100 in the draws of percentages and A/B tests. */
  draw: number;
}

/** One evaluated condition. */
interface Step {
  rule: number;
  condition: Condition;
  matched: boolean;
}

export interface Simulated {
  answer: Answer;
  /** The HTTP status that the visitor would get. */
  status: number;
  /** The country that the rules compared; '' if unknown. */
  country: string;
  /** The region and city that the rules compared; '' if unknown. */
  region: string;
  city: string;
  /** Whether real visitors have a region and a city. */
  knowsCities: boolean;
  /** The conditions of every evaluated rule, in order. */
  steps: Step[];
}

/** A link, and the fields that tell whether its click limit is used up. */
type SimulatedLink = LinkRow & { domain_id: number | null; limited_clicks: number; isSecure: boolean };

export type Simulator = (link: SimulatedLink, visitor: SimulatedVisit) => Simulated;

interface Options {
  addresses: AddressChecks;
  fallbacksOf: RedirectQueries['fallbacks'];
  pages: TypePages;
  geolocation: Geolocation;
}

/**
 * Uses the same function that answers real visits, with a trace of the conditions. `link` need not be stored: it may
 * be the result of an edit.
 */
export function simulator({ addresses, fallbacksOf, pages, geolocation }: Options): Simulator {
  return (row, visitor) => {
    const link = readLink(row, addresses, () => fallbacksOf(row.domain_id ?? 0));
    const steps: Step[] = [];
    const place = geolocation.find(visitor.address);
    const country = visitor.country ?? place.country;
    const region = visitor.region ?? place.region;
    // A given region counts as both name and code, whichever a rule compares.
    const regionCode = visitor.region === undefined ? place.regionCode : '';
    const city = visitor.city ?? place.city;
    const [host = ''] = visitor.referrer.split('/', 1);
    const referrer = { host, path: visitor.referrer.slice(host.length), tokens: undefined };
    const answer = resolve(
      link,
      {
        at: visitor.at,
        query: visitor.query,
        referrer: () => referrer,
        unlocked: visitor.unlocked,
        exhausted: row.click_limit !== null && row.limited_clicks >= row.click_limit,
        isReturning: () => visitor.returning,
        visitor: {
          ...visitor,
          country,
          region,
          regionCode,
          city,
          hash: hashDrawing(visitor.draw, row),
          previewBot: false,
          tokens: undefined,
        },
      },
      addresses.safeRedirectUrl,
      (rule, condition, matched) => steps.push({ rule, condition, matched }),
    );
    const { knowsCities } = geolocation;
    return { answer, status: statusOf(answer), country, region, city, knowsCities, steps };

    function statusOf(found: Answer): number {
      switch (found.kind) {
        case 'redirect': {
          if (found.offersBrowser) return 200;
          const context = { texts: textsFor([]), isShared: true, isSecure: row.isSecure, headers: [] };
          return link.hasPage && pages.of(link, found.location, context) ? 200 : link.status;
        }
        case 'expired':
          return found.location === undefined ? 410 : 302;
        case 'early':
          return found.location === undefined ? 404 : 302;
        case 'archived':
        case 'unsafe':
          return 410;
        case 'password':
        case 'card':
          return 200;
      }
    }
  };
}

/**
 * A visitor hash that draws the given number for both purposes of a link. Hashes are tried in order, so that the same
 * number always finds the same hash; a link without draws takes any.
 */
function hashDrawing(draw: number, { id, rules, abtesting }: LinkRow): number {
  if (!rules.includes('"percentage"') && abtesting === '[]') return 0;
  const wanted = Math.floor(draw);
  for (let hash = 0; hash < 1_000_000; hash += 1) {
    if (Math.floor(share(hash, id, 'rule')) !== wanted) continue;
    if (Math.floor(share(hash, id, 'test')) === wanted) return hash;
  }
  return 0;
}
