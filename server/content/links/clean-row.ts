import { campaignName } from '../../contract/campaigns.ts';
import { channelName } from '../../contract/channels.ts';
import { composed } from '../../contract/composed.ts';
import type { ImportRow } from '../../contract/import.ts';
import { linkSettings } from '../../contract/link-settings.ts';
import type { LinkChange } from '../../contract/links.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import { planRequired, Refusal, rejected } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import { parseTimestamp } from '../../platform/http/timestamps.ts';
import { canonicalTimezone } from '../../platform/http/timezones.ts';
import { cut, oneLine } from '../../platform/text/cut.ts';
import { readAlias } from './aliases.ts';
import { afterPassedDays, type DatedRow } from './passed-days.ts';
import type { LinkReferences } from './references.ts';

/** An imported row, converted to our formats. */
export interface CleanRow extends DatedRow {
  alias: string;
  domainId: number | null;
  title: string | null;
  description: string | null;
  note: string | null;
  tags: string[];
  campaign: string | null;
  createdAt: number;
  /** What its dates are in. */
  timezone: string;
  /** Whether visitors needed a password that is not known. */
  isProtected: boolean;
  token: string | undefined;
}

const maxTitle = 255;
const maxNote = 5000;
const maxDescription = 2000;
const maxChannelName = 100;
const maxCampaignName = 120;

/** Converts rows of other services to our formats. */
export function rowCleaner({ references, now }: { references: LinkReferences; now: () => number }) {
  /** The domain that a row names, or else the other one. Throws 400 `unknown_domain` where neither is the account's. */
  function domainOf(named: string, userId: number, other: string | undefined): number | null {
    try {
      return references.domainOf(named, userId);
    } catch (error) {
      if (other === undefined || !(error instanceof Refusal)) throw error;
      return references.domainOf(other, userId);
    }
  }

  /**
   * A normalized row, before anything is looked up by its alias; if its domain does not belong to the account, on
   * `otherDomain`. Throws 400 and 403 like adding the link.
   */
  function clean(row: ImportRow, account: Account, otherDomain?: string): CleanRow {
    const { user } = account;
    const plain = references.readDestination(row.url, 'url');
    const template = row.utm?.trim();
    const url = template
      ? references.readDestination(references.writeUtm(template, user.id, 'utm')(plain), 'url')
      : plain;
    const domainId = row.domain?.trim()
      ? domainOf(row.domain, user.id, otherDomain)
      : references.domainIfThere(row.shorthost?.trim() || null, user.id);
    if (row.alias?.trim() && !account.plan.permissions.alias) throw planRequired('alias');
    const alias = row.alias?.trim() ? readAlias(row.alias, 'alias', references.allowsSlashes(domainId)) : '';
    const title = oneLine(composed(row.title ?? ''), maxTitle) || null;
    const note = freeText(row.note, maxNote);
    const description = freeText(row.description, maxDescription);
    const campaign = safeParse(campaignName, oneLine(row.campaign ?? '', maxCampaignName)).data ?? null;
    const change = {
      ...settingsOf(row),
      ...(row.expiry && { expiry: row.expiry }),
      ...(row.archived && { archived: true }),
    };
    const tags = (row.tags ?? []).flatMap((tag) => tagName(tag) ?? []);
    const timezone = timezoneOf(row) ?? user.timezone;
    const createdAt = row.date ? parseTimestamp(row.date, timezone, 'start', 'date') : now();
    const { archiveon, deleteon, token } = row;
    const days = afterPassedDays(
      { url, change, archiveon, deleteon },
      { timezone, now: now(), readDestination: references.readDestination },
    );
    const isProtected = row.protected ?? false;
    const texts = { alias, title, description, note };
    return { ...texts, domainId, tags, campaign, createdAt, timezone, isProtected, token, ...days };
  }

  return clean;
}

/** A text of several lines in our form; null for an empty one. */
function freeText(text: string | undefined, most: number): string | null {
  const plain = composed(text ?? '').replace(/[^\P{Cc}\t\n\r]+/gu, ' ');
  return cut(plain.trim(), most) || null;
}

/** The time zone that a row names. Throws 400 for an unknown one. */
function timezoneOf({ timezone }: ImportRow): string | undefined {
  if (!timezone?.trim()) return undefined;
  const known = canonicalTimezone(timezone.trim());
  if (known) return known;
  throw rejected('invalid_timezone', 'timezone', 'Use a time zone name, such as Europe/Berlin.');
}

/** The other fields of a row. Throws 400 for fields that links do not have. */
function settingsOf({ settings }: ImportRow): LinkChange {
  if (!settings) return {};
  const { data, error } = safeParse(linkSettings, settings);
  if (data) return data;
  const field = ['settings', ...(error?.issues[0]?.path ?? [])].join('.');
  const message = `Correct "${field}", or leave the settings of this row out.`;
  throw rejected('invalid_settings', field, message);
}

/** A tag as a channel name, truncated if too long; undefined if it would be invisible. */
function tagName(tag: string): string | undefined {
  return safeParse(channelName, oneLine(tag, maxChannelName)).data;
}
