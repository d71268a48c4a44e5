import type { LinkChange } from '../../contract/links.ts';
import { type ConditionType, placeTypes, type Rule } from '../../contract/rules.ts';
import { planRequired, rejected } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import { parseTimestamp } from '../../platform/http/timestamps.ts';
import { storedRules, storedVariants } from '../../visits/redirects/stored-lists.ts';
import { readAlias, slashesNotAllowed } from './aliases.ts';
import type { LinkRecord } from './queries.ts';
import { readRules } from './rules.ts';
import { applyTargets } from './targets.ts';

/** The references of a link's fields; each lookup is restricted to the account. */
export interface References {
  destination(text: string, field: string): string;
  /** Id of a domain by id, host name or address; null is the instance's own. Throws 400. */
  domain(reference: number | string): number | null;
  /** Whether aliases on a domain may have slashes. */
  allowsSlashes(domainId: number | null): boolean;
  /** What writes a UTM template, by its id or name, into a destination. Throws 400. */
  utm(reference: number | string, field: string): (url: string) => string;
  ownsCampaign(id: number): boolean;
  ownsChannel(id: number): boolean;
  ownsPixel(id: number): boolean;
  /** Whether a type names something of this account: a splash page's id or `overlay-<id>`. */
  ownsType(type: string): boolean;
}

export interface Context {
  account: Account;
  references: References;
  /** The current link, or the defaults of a new one. */
  record: LinkRecord;
  now: number;
}

/** What a change does to a link: the new record (its password still to be hashed) and its channels, if sent. */
export interface LinkEdit {
  record: LinkRecord;
  /** Undefined leaves the password, null takes it away. */
  password: string | null | undefined;
  channels: number[] | undefined;
}

/**
 * Applies what a client sent to a link's record. Every gate of the plan comes before the look-up of what it guards.
 * Throws 400 with the field at fault, or 403 `plan_required`.
 */
export function applyChange(change: LinkChange, context: Context): LinkEdit {
  const { account, references, record } = context;
  checkPlan(change, account);
  const next: LinkRecord = { ...record };
  const { timezone } = account.user;
  const sent = <Key extends keyof LinkChange>(key: Key) => change[key] !== undefined;

  if (change.url !== undefined) next.url = references.destination(change.url, 'url');
  if (change.utm) next.url = references.destination(references.utm(change.utm, 'utm')(next.url), 'url');
  if (sent('domain')) next.domain_id = change.domain ? references.domain(change.domain) : null;
  next.alias = aliasOf(change, next, record.domain_id, references);
  if (sent('title')) next.title = change.title || null;
  if (sent('description')) next.description = change.description || null;
  if (sent('note')) next.note = change.note || null;
  if (change.status) next.status = change.status;
  if (sent('type')) next.type = readType(change.type ?? 'direct', references);
  if (sent('expiry'))
    next.expires_at = change.expiry ? parseTimestamp(change.expiry, timezone, 'end', 'expiry') : null;
  if (sent('notbefore')) {
    next.not_before_at = change.notbefore
      ? parseTimestamp(change.notbefore, timezone, 'start', 'notbefore')
      : null;
  }
  if (sent('clicklimit')) next.click_limit = change.clicklimit || null;
  if (sent('expirationredirect')) {
    const target = change.expirationredirect;
    next.expiration_url = target ? references.destination(target, 'expirationredirect') : null;
  }
  next.rules = JSON.stringify(rulesOf(change, storedRules(record.rules), timezone, references));
  if (change.abtesting) next.abtesting = JSON.stringify(readVariants(change.abtesting, references));
  planDays(next, change, context);
  if (change.parameters) next.parameters = JSON.stringify(change.parameters);
  if (sent('deeplink')) next.deeplink = readDeepLink(change.deeplink ?? null, references);
  if (sent('metatitle')) next.meta_title = change.metatitle || null;
  if (sent('metadescription')) next.meta_description = change.metadescription || null;
  if (sent('metaimage')) {
    next.meta_image = change.metaimage ? references.destination(change.metaimage, 'metaimage') : null;
  }
  if (change.pixels)
    next.pixels = JSON.stringify(ownedIds(change.pixels, references.ownsPixel, 'pixels', 'pixel'));
  if (sent('campaign')) {
    const [campaign] = ownedIds(
      change.campaign ? [change.campaign] : [],
      references.ownsCampaign,
      'campaign',
      'campaign',
    );
    next.campaign_id = campaign ?? null;
  }
  if (change.redirect !== undefined) next.redirect_status = change.redirect;
  if (change.forwardquery !== undefined) next.forward_query = change.forwardquery ? 1 : 0;
  if (change.archived !== undefined) next.archived = change.archived ? 1 : 0;
  if (change.locked !== undefined) next.locked = change.locked ? 1 : 0;
  return { record: next, password: passwordOf(change), channels: channelsOf(change, references) };
}

const plannedDays = [
  ['archiveon', 'archive_at', 'start'],
  ['deleteon', 'delete_at', 'start'],
  ['testuntil', 'test_until', 'end'],
] as const;

/**
 * Sets the dates on which the link is archived, deleted, and its A/B test ended. Throws 400 for a date in the past,
 * and for a winner that is not a variant. Without variants there is no test to end.
 */
function planDays(next: LinkRecord, change: LinkChange, { account, record, references, now }: Context): void {
  for (const [field, column, part] of plannedDays) {
    const text = change[field];
    if (text === undefined) continue;
    const at = text ? parseTimestamp(text, account.user.timezone, part, field) : null;
    if (at !== null && at <= now && at !== record[column]) {
      throw rejected('in_the_past', field, 'This time has passed. Choose one in the future.');
    }
    next[column] = at;
  }
  const { testwinner } = change;
  if (testwinner !== undefined) {
    next.test_winner = testwinner ? references.destination(testwinner, 'testwinner') : null;
  }
  const variants = storedVariants(next.abtesting);
  if (variants.length === 0 || next.test_until === null) {
    next.test_until = null;
    next.test_winner = null;
  } else if (next.test_winner !== null && !variants.some(({ url }) => url === next.test_winner)) {
    throw rejected('unknown_variant', 'testwinner', 'Choose one of the variants as the winner, or none.');
  }
}

/** The requested alias, or the current one if the domain allows it. */
function aliasOf(
  { custom }: LinkChange,
  { alias, domain_id }: LinkRecord,
  before: number | null,
  references: References,
): string {
  // An existing alias may predate a rule for new ones.
  if (custom && custom !== alias) return readAlias(custom, 'custom', references.allowsSlashes(domain_id));
  if (domain_id !== before && alias.includes('/') && !references.allowsSlashes(domain_id)) {
    throw slashesNotAllowed('domain');
  }
  return alias;
}

/** Gates of the plan (decision 0004): 403 `plan_required` with the permission's name. */
function checkPlan(change: LinkChange, { plan }: Account): void {
  if (change.custom && !plan.permissions.alias) throw planRequired('alias');
  if (change.password && !plan.permissions.password) throw planRequired('password');
  if (change.geotarget?.length && !plan.features.geo?.enabled) throw planRequired('geo');
  if (change.devicetarget?.length && !plan.features.device?.enabled) throw planRequired('device');
  // Rules are another form of the same features.
  const conditions =
    change.rules?.flatMap((rule) => rule.conditions.map((condition) => condition.type)) ?? [];
  const looksAt = (...types: ConditionType[]) => types.some((type) => conditions.includes(type));
  if (looksAt(...placeTypes) && !plan.features.geo?.enabled) throw planRequired('geo');
  if (looksAt('device', 'os') && !plan.features.device?.enabled) throw planRequired('device');
  if (change.pixels?.length && !plan.features.pixels?.enabled) throw planRequired('pixels');
  if (change.type && /^\d+$/.test(change.type) && !plan.features.splash?.enabled)
    throw planRequired('splash');
  if (change.type?.startsWith('overlay-') && !plan.features.overlay?.enabled) throw planRequired('overlay');
}

/** Values of all conditions of a link, and letters of its rules as they are stored. */
const mostRuleValues = 5_000;
const mostRuleText = 200_000;

function rulesOf(change: LinkChange, current: Rule[], timezone: string, references: References): Rule[] {
  const destination = references.destination;
  const rules = change.rules ? readRules(change.rules, { timezone, destination }) : current;
  const next = applyTargets(rules, change, destination);
  const field = (['rules', 'geotarget', 'devicetarget', 'languagetarget'] as const).find(
    (name) => change[name],
  );
  if (field) checkSize(next, field);
  return next;
}

/** Every visit evaluates the link's rules, on the redirect thread. Throws 400. */
function checkSize(rules: readonly Rule[], field: string): void {
  const values = rules.flatMap(({ conditions }) =>
    conditions.map(({ value }) => (Array.isArray(value) ? value.length : 1)),
  );
  if (
    values.reduce((sum, count) => sum + count, 0) > mostRuleValues ||
    JSON.stringify(rules).length > mostRuleText
  ) {
    const message = 'These rules are too large. Use fewer conditions and values, or shorter URLs.';
    throw rejected('rules_too_large', field, message);
  }
}

function readType(type: string, references: References): string {
  if (['direct', 'frame', 'splash'].includes(type) || references.ownsType(type)) return type;
  throw rejected('unknown_type', 'type', 'Splash page or overlay not found.');
}

function readVariants(variants: NonNullable<LinkChange['abtesting']>, references: References) {
  const sum = variants.reduce((total, variant) => total + variant.percentage, 0);
  if (sum > 100)
    throw rejected('invalid_percentage', 'abtesting', 'The percentages add up to more than 100.');
  return variants.map(({ url, percentage }, index) => ({
    url: references.destination(url, `abtesting.${index}.url`),
    percentage,
  }));
}

function readDeepLink(
  deeplink: NonNullable<LinkChange['deeplink']> | null,
  references: References,
): string | null {
  if (!deeplink) return null;
  const { auto, apple, google } = deeplink;
  if (!auto && !apple && !google) return null;
  return JSON.stringify({
    auto: auto ?? false,
    ...(apple && { apple: references.destination(apple, 'deeplink.apple') }),
    ...(google && { google: references.destination(google, 'deeplink.google') }),
  });
}

function passwordOf({ password }: LinkChange): string | null | undefined {
  return password === undefined ? undefined : password || null;
}

function channelsOf({ channel }: LinkChange, references: References): number[] | undefined {
  if (channel === undefined) return undefined;
  const ids = channel === null ? [] : Array.isArray(channel) ? channel : [channel];
  return ownedIds(ids, references.ownsChannel, 'channel', 'channel');
}

function ownedIds(
  ids: readonly number[],
  owns: (id: number) => boolean,
  field: string,
  resource: string,
): number[] {
  for (const id of ids) {
    if (!owns(id)) throw rejected(`unknown_${resource}`, field, `You have no ${resource} with the id ${id}.`);
  }
  return [...new Set(ids)];
}
