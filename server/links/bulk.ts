import type { ChannelQueries } from '../channels/queries.ts';
import type { BodyOf } from '../contract/endpoint.ts';
import { identifier } from '../contract/envelope.ts';
import { type BulkAction, type bulkLinks, moment, redirectStatuses } from '../contract/links.ts';
import type { Transactions } from '../database/transactions.ts';
import { Refusal, rejected } from '../errors.ts';
import { parseMoment } from '../http/timestamps.ts';
import type { Account } from '../users/service.ts';
import type { References } from './fields.ts';
import type { LinkHistory, LinkSnapshot } from './history.ts';
import { type LinkFilter, type LinkQueries, type LinkRow, pickRecord } from './queries.ts';
import type { LinkReferences } from './references.ts';
import { linkRoom } from './room.ts';

type Request = BodyOf<typeof bulkLinks>;

/** What happened, or would happen, to one link of a bulk action. */
export interface BulkRow {
  id: number;
  outcome: 'done' | 'unchanged' | 'refused' | 'not_found';
  code?: string;
}

interface Options {
  queries: LinkQueries;
  channels: ChannelQueries;
  references: LinkReferences;
  history: LinkHistory;
  now: () => number;
  transactions: Transactions;
  onChange: (userId: number, linkIds: number[]) => void;
}

/** The new state of a link, `purge` for its end, or a refusal with a code. */
type Step = (row: LinkRow) => LinkSnapshot | 'purge' | { refused: string };

/** One thing done to many links in one transaction, with the outcome of each (decisions, section 10). */
export function bulkService(options: Options) {
  const { queries, channels, references, history, now, transactions, onChange } = options;
  const room = linkRoom(queries);

  function targets(account: Account, { ids, filter, action }: Request): number[] {
    if (ids) return [...new Set(ids)];
    if (!filter) throw rejected('required', 'ids', 'Name the links by ids or by a filter.');
    const { domain, ...rest } = filter;
    const resolved: LinkFilter = { ...rest };
    if (domain !== undefined) resolved.domain = references.domainOf(domain, account.user.id) ?? 0;
    if (action === 'restore' || action === 'purge') resolved.status = 'trash';
    return queries.listIds(account.user.id, resolved, now());
  }

  function apply(id: number, account: Account, step: Step, action: BulkAction, changeId: number): BulkRow {
    const row = queries.find(id, account.user.id);
    const wantsTrash = action === 'restore' || action === 'purge';
    if (!row || (row.trashed_at !== null && !wantsTrash))
      return { id, outcome: 'not_found', code: 'not_found' };
    if (row.locked === 1 && action !== 'unlock' && action !== 'lock')
      return { id, outcome: 'refused', code: 'locked' };
    const next = step(row);
    if (next === 'purge') {
      queries.remove(id);
      return { id, outcome: 'done' };
    }
    if ('refused' in next) return { id, outcome: 'refused', code: next.refused };
    if (!history.isChange(row, next)) return { id, outcome: 'unchanged' };
    const { channels: channelIds, ...record } = next;
    try {
      transactions.atomically(() => history.store(row, record));
    } catch (error) {
      if (error instanceof Refusal) return { id, outcome: 'refused', code: error.details.code };
      throw error;
    }
    history.note(changeId, row, next);
    if (channelIds) channels.setForLink(id, channelIds);
    return { id, outcome: 'done' };
  }

  return {
    run(account: Account, request: Request): { rows: BulkRow[]; undo: number | null } {
      const step = stepOf(request, account, references.of(account.user.id), now());
      const ids = targets(account, request);
      const work = () => {
        const changeId = history.begin(account.user.id, `bulk ${request.action}`);
        let left = request.action === 'restore' ? room.left(account) : Number.POSITIVE_INFINITY;
        const rows = ids.map((id) => {
          const row = apply(id, account, left > 0 ? step : noRoom, request.action, changeId);
          if (row.outcome === 'done') left -= 1;
          return row;
        });
        const undoable = request.action !== 'purge' && rows.some((row) => row.outcome === 'done');
        return { rows, undo: undoable ? changeId : null };
      };
      if (request.dryrun) return { ...transactions.rehearse(work), undo: null };
      const result = transactions.atomically(work);
      onChange(
        account.user.id,
        result.rows.filter((row) => row.outcome === 'done').map((row) => row.id),
      );
      return result;
    },
  };
}

export type BulkService = ReturnType<typeof bulkService>;

function stepOf({ action, value }: Request, account: Account, references: References, now: number): Step {
  const set =
    (fields: Partial<LinkSnapshot>): Step =>
    (row) => ({ ...pickRecord(row), ...fields });
  switch (action) {
    case 'delete':
      return set({ trashed_at: now });
    case 'restore':
      return (row) =>
        row.trashed_at === null ? { refused: 'not_trashed' } : { ...pickRecord(row), trashed_at: null };
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
        const others = (JSON.parse(row.channels) as number[]).filter((id) => id !== channel);
        return {
          ...pickRecord(row),
          channels: action === 'channel_add' ? [...others, channel].sort(byNumber) : others,
        };
      };
    }
    case 'domain':
      return set({ domain_id: value === null || value === undefined ? null : references.domain(value) });
    case 'redirect':
      return set({ redirect_status: redirectValue(value) });
    case 'expiry':
      return set({ expires_at: expiryValue(value, account.user.timezone) });
  }
}

/** What becomes of a restore once the plan has no room for another link. */
const noRoom: Step = (row) => ({ refused: row.trashed_at === null ? 'not_trashed' : 'plan_required' });

function byNumber(one: number, other: number): number {
  return one - other;
}

function ownedValue(
  value: Request['value'],
  owns: (id: number) => boolean,
  noun: string,
  optional: boolean,
): number | null {
  if (optional && (value === null || value === 0 || value === '0')) return null;
  const id = identifier.safeParse(value);
  if (!id.success || !owns(id.data)) {
    throw rejected(`unknown_${noun}`, 'value', `Send the id of one of your ${noun}s as value.`);
  }
  return id.data;
}

function redirectValue(value: Request['value']): number {
  const status = redirectStatuses.find((known) => known === value);
  if (status === undefined)
    throw rejected('invalid_value', 'value', `Send one of ${redirectStatuses.join(', ')}.`);
  return status;
}

function expiryValue(value: Request['value'], timezone: string): number | null {
  if (value === null || value === '') return null;
  const text = moment.safeParse(value);
  if (!text.success) throw rejected('invalid_date', 'value', 'Send a date, or null to clear it.');
  return parseMoment(text.data, timezone, 'end', 'value');
}
