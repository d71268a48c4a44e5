import { storedObject } from '../../platform/text/stored-json.ts';
import { noUtm, type Utm } from '../clicks/click.ts';
import { parametersQuery, withQuery } from './destinations.ts';
import { readUtm } from './referrer.ts';
import { type PreparedRule, prepareRules } from './rules.ts';
import type { CountedLimit } from './shared-limits.ts';
import { storedParameters, storedRules, storedVariants } from './stored-lists.ts';

/** A link's row as the redirect path reads it. */
export interface LinkRow {
  id: number;
  user_id: number;
  alias: string;
  url: string;
  title: string | null;
  description: string | null;
  type: string;
  password_hash: string | null;
  expires_at: number | null;
  not_before_at: number | null;
  click_limit: number | null;
  expiration_url: string | null;
  redirect_status: number;
  forward_query: number;
  archived: number;
  rules: string;
  abtesting: string;
  parameters: string;
  archive_at: number | null;
  delete_at: number | null;
  test_until: number | null;
  test_winner: string | null;
  deeplink: string | null;
  pixels: string;
  meta_title: string | null;
  meta_description: string | null;
  meta_image: string | null;
  created_at: number;
}

/** The redirects of a domain for links that have ended or not started, unless they have their own. */
export interface DomainFallbacks {
  redirect_expired: string | null;
  redirect_early: string | null;
}

/** A link prepared for responses, built once and cached. */
export interface LinkRecord {
  readonly id: number;
  readonly userId: number;
  readonly alias: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly type: string;
  /** JSON: ids of the pixels on its page. */
  readonly pixels: string;
  /** Whether visitors see a page before or around the destination. */
  readonly hasPage: boolean;
  /** In the form that is sent; undefined if the stored one must not be sent (T-19). */
  readonly destination: string | undefined;
  readonly passwordHash: string | null;
  readonly expiresAt: number | null;
  readonly notBeforeAt: number | null;
  /** Its click limit; undefined if unlimited. */
  readonly limit: CountedLimit | undefined;
  /** The redirect after its end: its own, or its domain's. */
  readonly expirationUrl: string | undefined;
  /** The redirect before its start: its domain's. */
  readonly earlyUrl: string | undefined;
  readonly status: number;
  readonly forwardQuery: boolean;
  readonly archived: boolean;
  /** When it is archived or deleted. */
  readonly leavesAt: number | null;
  readonly rules: readonly PreparedRule[];
  readonly tests: readonly { url: string; percentage: number }[];
  /** When the test ends, and the destination from then on; null for the link's own. */
  readonly testUntil: number | null;
  readonly testWinner: string | null;
  /** The link's own parameters, as a query. */
  readonly parameters: string;
  /** Whether visitors in an app's built-in browser are offered the phone's browser, where other apps open. */
  readonly opensApps: boolean;
  readonly stores: { apple: string | undefined; google: string | undefined };
  readonly meta: { title: string | null; description: string | null; image: string | null } | undefined;
  /** The destination's UTM values, which apply if the visit has none. */
  readonly utm: Utm;
  /**
   * The response headers if they are the same for every visitor at any time: such a link is redirected immediately.
   * Undefined for all others.
   */
  readonly sameForAll: readonly string[] | undefined;
  /** Its approximate size in memory, in kilobytes. */
  readonly weight: number;
}

/** Checks of URLs before they are sent to a browser (T-19). */
export interface AddressChecks {
  safeRedirectUrl(text: string): string | undefined;
  /** Of those that a visitor is sent to instead of the link. */
  safeFallbackUrl(text: string): string | undefined;
}

/** Parses a row. `fallbacksOf` is called for links that can end, or have a start. */
export function readLink(
  row: LinkRow,
  { safeRedirectUrl, safeFallbackUrl }: AddressChecks,
  fallbacksOf: () => DomainFallbacks,
): LinkRecord {
  const destination = safeRedirectUrl(row.url);
  const parameters = parametersQuery(storedParameters(row.parameters));
  const rules = row.rules === '[]' ? none : prepareRules(storedRules(row.rules), row.id, safeRedirectUrl);
  const tests = row.abtesting === '[]' ? none : storedVariants(row.abtesting);
  const deeplink = row.deeplink === null ? noDeepLink : readDeepLink(row.deeplink, safeRedirectUrl);
  const { stores } = deeplink;
  const hasMeta = row.meta_title || row.meta_description || row.meta_image;
  const hasPage = row.type !== 'direct' || row.pixels !== '[]';
  const isAlways = row.expires_at === null && row.not_before_at === null && row.click_limit === null;
  const fallbacks = isAlways ? undefined : fallbacksOf();
  const fallback = (text: string | null | undefined) => (text ? safeFallbackUrl(text) : undefined);
  const leavesAt = earliest(row.archive_at, row.delete_at);
  const isSameForAll =
    destination !== undefined &&
    !hasPage &&
    row.archived === 0 &&
    leavesAt === null &&
    row.password_hash === null &&
    isAlways &&
    row.forward_query === 0 &&
    rules.length === 0 &&
    tests.length === 0 &&
    stores.apple === undefined &&
    stores.google === undefined &&
    !deeplink.opensApps &&
    !hasMeta;
  return {
    id: row.id,
    userId: row.user_id,
    alias: row.alias,
    title: row.title,
    description: row.description,
    type: row.type,
    pixels: row.pixels,
    hasPage,
    destination,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
    notBeforeAt: row.not_before_at,
    limit:
      row.click_limit === null
        ? undefined
        : { kind: 'link', id: row.id, createdAt: row.created_at, limit: row.click_limit },
    expirationUrl: fallback(row.expiration_url ?? fallbacks?.redirect_expired),
    earlyUrl: fallback(fallbacks?.redirect_early),
    status: row.redirect_status,
    forwardQuery: row.forward_query === 1,
    archived: row.archived === 1,
    leavesAt,
    rules,
    tests,
    testUntil: row.test_until,
    testWinner: row.test_winner,
    parameters,
    ...deeplink,
    meta: hasMeta
      ? { title: row.meta_title, description: row.meta_description, image: row.meta_image }
      : undefined,
    utm: destination ? utmOf(withQuery(destination, parameters)) : noUtm,
    sameForAll: isSameForAll
      ? redirectHeaders(withQuery(destination, parameters), row.redirect_status)
      : undefined,
    weight: weightOf(row),
  };
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** Compiled conditions take about six times the memory of their stored text. */
function weightOf({ url, rules, abtesting, parameters, meta_description }: LinkRow): number {
  const others =
    3 * url.length + 2 * (abtesting.length + parameters.length) + (meta_description?.length ?? 0);
  return 1 + Math.floor((6 * rules.length + others) / 1000);
}

/**
 * The headers of a redirect as one flat list, which Node writes without inspecting it. Browsers may cache permanent
 * redirects only for a short time, so that edits take effect and clicks are still counted.
 */
export function redirectHeaders(location: string, status: number): readonly string[] {
  const cache = status === 301 || status === 308 ? 'private, max-age=90' : 'private, no-store';
  return ['Location', location, 'Cache-Control', cache, 'Content-Length', '0'];
}

/** Shared by all links without any, of which thousands may be cached. */
const noDeepLink: Pick<LinkRecord, 'opensApps' | 'stores'> = {
  opensApps: false,
  stores: { apple: undefined, google: undefined },
};
const none: never[] = [];

function readDeepLink(
  json: string,
  safeRedirectUrl: (text: string) => string | undefined,
): Pick<LinkRecord, 'opensApps' | 'stores'> {
  const { auto, apple, google } = storedObject<Record<string, unknown>>(json) ?? {};
  return {
    opensApps: auto === true,
    stores: {
      apple: typeof apple === 'string' ? safeRedirectUrl(apple) : undefined,
      google: typeof google === 'string' ? safeRedirectUrl(google) : undefined,
    },
  };
}

function utmOf(address: string): Utm {
  return address.includes('utm_') ? readUtm(new URL(address).search.slice(1)) : noUtm;
}
