import type { z } from 'zod';
import type { BrokenReason, LinkHealth } from '../../contract/link-health.ts';
import type { LinkTraits } from '../../contract/link-traits.ts';
import type { Link, LinkDetails, linkState } from '../../contract/links.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { storedList, storedObject } from '../../platform/text/stored-json.ts';
import { domainUrl, shortUrl } from '../../visits/redirects/short-url.ts';
import { storedParameters, storedRules, storedVariants } from '../../visits/redirects/stored-lists.ts';
import type { LinkRow } from './queries.ts';
import { presentRules } from './rules.ts';
import { presentTargets } from './targets.ts';

export interface PresentContext {
  timezone: string;
  baseUrl: string;
  now: number;
}

/** A link in a list (decision 0011). */
export function presentLink(row: LinkRow, { timezone, baseUrl, now }: PresentContext): Link {
  return {
    id: row.id,
    alias: row.alias,
    shorturl: shortUrl(row, baseUrl),
    longurl: row.url,
    title: row.title,
    description: row.description,
    clicks: row.clicks,
    uniqueclicks: row.unique_clicks,
    domain: domainUrl(row.host, baseUrl),
    campaign: row.campaign_id,
    channel: JSON.parse(row.channels) as number[],
    status: row.status,
    state: stateOf(row, now),
    locked: row.locked === 1,
    expiry: presentOptional(row.expires_at, timezone),
    archiveon: presentOptional(row.archive_at, timezone),
    deleteon: presentOptional(row.delete_at, timezone),
    health: presentHealth(row.health, timezone),
    date: presentTimestamp(row.created_at, timezone),
  };
}

/** The markers of a link in a list. */
export function presentTraits(row: LinkRow, { timezone }: PresentContext): LinkTraits {
  return {
    protected: row.password_hash !== null,
    rules: storedRules(row.rules).length,
    variants: storedVariants(row.abtesting).length,
    type: row.type,
    notbefore: presentOptional(row.not_before_at, timezone),
    clicklimit: row.click_limit,
  };
}

/** A link with everything that can be set on it. */
export function presentDetails(row: LinkRow, context: PresentContext): LinkDetails {
  const rules = storedRules(row.rules);
  return {
    ...presentLink(row, context),
    note: row.note,
    type: row.type,
    location: presentTargets(rules, 'country'),
    device: presentTargets(rules, 'device'),
    language: presentTargets(rules, 'language'),
    parameters: storedParameters(row.parameters),
    pixels: storedList<number>(row.pixels, 'number'),
    rules: presentRules(rules, context.timezone),
    abtesting: storedVariants(row.abtesting),
    testuntil: presentOptional(row.test_until, context.timezone),
    testwinner: row.test_winner,
    deeplink:
      row.deeplink === null
        ? null
        : (storedObject<NonNullable<LinkDetails['deeplink']>>(row.deeplink) ?? null),
    metatitle: row.meta_title,
    metadescription: row.meta_description,
    metaimage: row.meta_image,
    notbefore: presentOptional(row.not_before_at, context.timezone),
    clicklimit: row.click_limit,
    expirationredirect: row.expiration_url,
    redirect: row.redirect_status,
    forwardquery: row.forward_query === 1,
    archived: row.archived === 1,
    protected: row.password_hash !== null,
  };
}

function presentHealth(json: string | null | undefined, timezone: string): LinkHealth | null {
  if (!json) return null;
  const [checked, isBroken, failedAt, reason, address] = JSON.parse(json) as [
    number,
    0 | 1,
    number | null,
    BrokenReason | null,
    string | null,
  ];
  const at = presentTimestamp(checked, timezone);
  if (isBroken === 0) return { state: 'ok', reason: null, address: null, since: null, checked: at };
  return { state: 'broken', reason, address, since: presentOptional(failedAt, timezone), checked: at };
}

function stateOf(row: LinkRow, now: number): z.output<typeof linkState> {
  if (row.trashed_at !== null) return 'trashed';
  if (row.archived === 1) return 'archived';
  if (row.not_before_at !== null && row.not_before_at > now) return 'scheduled';
  if (row.expires_at !== null && row.expires_at <= now) return 'expired';
  if (row.click_limit !== null && row.limited_clicks >= row.click_limit) return 'exhausted';
  return 'active';
}
