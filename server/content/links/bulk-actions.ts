import type { BodyOf } from '../../contract/endpoint.ts';
import { identifier, timestampInput } from '../../contract/envelope.ts';
import { type bulkLinks, redirectStatuses } from '../../contract/links.ts';
import { noUtm, writeUtm } from '../../contract/utm-address.ts';
import { rejected } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import { parseTimestamp } from '../../platform/http/timestamps.ts';
import { isBeyondMost } from '../channels/most.ts';
import { longestDestination } from './destination.ts';
import type { References } from './fields.ts';
import { type LinkSnapshot, withoutPassedDays } from './history.ts';
import { type LinkRow, pickRecord } from './queries.ts';

type Request = Pick<BodyOf<typeof bulkLinks>, 'action' | 'value'>;

/** The new state of a link, `purge` for its end, or a refusal with a code. */
export type BulkChange = (row: LinkRow) => LinkSnapshot | 'purge' | { refused: string };

/** What an action does to a link. Throws 400 for a value that it cannot work with. */
export function bulkChange(
  { action, value }: Request,
  account: Account,
  references: References,
  now: number,
): BulkChange {
  const set =
    (fields: Partial<LinkSnapshot>): BulkChange =>
    (row) => ({ ...pickRecord(row), ...fields });
  switch (action) {
    case 'delete':
      return set({ trashed_at: now });
    case 'restore':
      return (row) =>
        row.trashed_at === null
          ? { refused: 'not_trashed' }
          : { ...withoutPassedDays(pickRecord(row), now), trashed_at: null };
    case 'purge':
      return () => 'purge';
    case 'archive':
    case 'unarchive':
      return set({ archived: action === 'archive' ? 1 : 0 });
    case 'lock':
    case 'unlock':
      return set({ locked: action === 'lock' ? 1 : 0 });
    case 'campaign':
      return set({ campaign_id: ownedValue(value, references.ownsCampaign, 'campaign', true) });
    case 'channel_add':
    case 'channel_remove': {
      const channel = ownedValue(value, references.ownsChannel, 'channel', false) as number;
      return (row) => {
        const before = JSON.parse(row.channels) as number[];
        const others = before.filter((id) => id !== channel);
        if (action === 'channel_remove') return { ...pickRecord(row), channels: others };
        if (isBeyondMost(others.length + 1, before.length)) return { refused: 'too_many' };
        return { ...pickRecord(row), channels: [...others, channel].sort(byNumber) };
      };
    }
    case 'domain':
      return toDomain(value === null || value === undefined ? null : references.domain(value), references);
    case 'redirect':
      return set({ redirect_status: redirectValue(value) });
    case 'expiry':
      return set({ expires_at: timestampValue(value, account.user.timezone, 'end') });
    case 'archiveon':
      return set({ archive_at: plannedDay(value, account.user.timezone, now) });
    case 'deleteon':
      return set({ delete_at: plannedDay(value, account.user.timezone, now) });
    case 'utm':
      return withUtm(value, references);
  }
}

/** One whose alias has slashes stays where it is when the domain takes none. */
function toDomain(domainId: number | null, references: References): BulkChange {
  const allowsSlashes = references.allowsSlashes(domainId);
  return (row) =>
    row.alias.includes('/') && row.domain_id !== domainId && !allowsSlashes
      ? { refused: 'invalid_alias' }
      : { ...pickRecord(row), domain_id: domainId };
}

/** Writes a UTM template into the destinations; without one all UTM parameters are taken off them. */
function withUtm(value: Request['value'], references: References): BulkChange {
  const write =
    value === null || value === undefined || value === ''
      ? (url: string) => new URL(writeUtm(url, noUtm)).href
      : references.utm(value, 'value');
  return (row) => {
    const url = write(row.url);
    return url.length > longestDestination ? { refused: 'invalid_url' } : { ...pickRecord(row), url };
  };
}

/** The result of a restore when the plan's quota is used up. */
export const noRoom: BulkChange = (row) => ({
  refused: row.trashed_at === null ? 'not_trashed' : 'plan_required',
});

function byNumber(one: number, other: number): number {
  return one - other;
}

function ownedValue(
  value: Request['value'],
  owns: (id: number) => boolean,
  resource: string,
  optional: boolean,
): number | null {
  if (optional && (value === null || value === 0 || value === '0')) return null;
  const id = identifier.safeParse(value);
  if (!id.success || !owns(id.data)) {
    throw rejected(`unknown_${resource}`, 'value', `Send the id of one of your ${resource}s as value.`);
  }
  return id.data;
}

function redirectValue(value: Request['value']): number {
  const status = redirectStatuses.find((known) => known === value);
  if (status === undefined)
    throw rejected('invalid_value', 'value', `Send one of ${redirectStatuses.join(', ')}.`);
  return status;
}

function plannedDay(value: Request['value'], timezone: string, now: number): number | null {
  const at = timestampValue(value, timezone, 'start');
  if (at === null || at > now) return at;
  throw rejected('in_the_past', 'value', 'This time has passed. Choose one in the future.');
}

function timestampValue(value: Request['value'], timezone: string, part: 'start' | 'end'): number | null {
  if (value === null || value === '') return null;
  const text = timestampInput.safeParse(value);
  if (!text.success) throw rejected('invalid_date', 'value', 'Send a date, or null to clear it.');
  return parseTimestamp(text.data, timezone, part, 'value');
}
