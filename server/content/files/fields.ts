import type { FileChange } from '../../contract/files.ts';
import { planRequired, rejected } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import { parseTimestamp } from '../../platform/http/timestamps.ts';
import { readAlias } from '../links/aliases.ts';
import type { FileRecord } from './queries.ts';

interface Context {
  account: Account;
  /** Id of a domain by id, host name or address; null is the instance's own. Throws 400. */
  domainOf: (reference: number | string, userId: number) => number | null;
  now: number;
}

/** What a change does to a file. */
export interface FileEdit {
  record: FileRecord;
  /** Undefined leaves the password, null takes it away; a text is still to be hashed. */
  password: string | null | undefined;
}

/**
 * Applies what a client sent to a file's record; null and '' clear. Gates of the plan come before every look-up
 * (decision 0004). Throws 400 with the field at fault, or 403 `plan_required`.
 */
export function applyFileChange(change: FileChange, record: FileRecord, context: Context): FileEdit {
  const { account, domainOf, now } = context;
  const { permissions } = account.plan;
  if (change.custom && !permissions.alias) throw planRequired('alias');
  if (change.password && !permissions.password) throw planRequired('password');

  const next = { ...record };
  if (change.name) next.name = change.name;
  if (change.custom && change.custom !== record.alias) next.alias = readAlias(change.custom, 'custom');
  if (change.domain !== undefined) {
    next.domain_id = change.domain ? domainOf(change.domain, account.user.id) : null;
  }
  if (change.expiry !== undefined) {
    next.expires_at = change.expiry ? readExpiry(change.expiry, account.user.timezone, now) : null;
  }
  if (change.maxdownloads !== undefined) next.max_downloads = change.maxdownloads;
  return { record: next, password: change.password === undefined ? undefined : change.password || null };
}

/** The first timestamp after a day in the account's time zone (decision 0019). */
function readExpiry(text: string, timezone: string, now: number): number {
  const end = parseTimestamp(text, timezone, 'end', 'expiry') + 1000;
  if (end <= now) throw rejected('expiry_past', 'expiry', 'Choose today or a later date as the expiry.');
  return end;
}
