import type { BodyOf } from '../../contract/endpoint.ts';
import type { bulkLinks } from '../../contract/links.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import { type BulkChange, bulkChange, noRoom } from './bulk-actions.ts';
import type { BulkRow } from './bulk-outcomes.ts';
import type { LinkHistory } from './history.ts';
import { plannedAliases } from './planned-aliases.ts';
import type { LinkQueries } from './queries.ts';
import { linkQuota } from './quota.ts';
import type { LinkReferences } from './references.ts';

type Wish = Pick<BodyOf<typeof bulkLinks>, 'action' | 'value'>;

/** Why the person may not change a link; undefined if they may. */
export type RefusalOf = (id: number) => 'role_too_low' | 'not_found' | undefined;

/** An operation on an account's links; called for each link. */
export type DoOne = (id: number) => BulkRow;

/** Returns the code of a refusal. */
type Write = (
  row: Parameters<BulkChange>[0],
  next: Exclude<ReturnType<BulkChange>, { refused: string }>,
) => string | undefined;

interface Options {
  queries: LinkQueries;
  aliases: AliasQueries;
  channels: ChannelQueries;
  references: LinkReferences;
  history: LinkHistory;
  transactions: Transactions;
  now: () => number;
}

/** The effect of a bulk action on one link, for real or in a dry run. */
export function bulkEach(options: Options) {
  const { queries, aliases, channels, references, history, transactions, now } = options;
  const room = linkQuota(queries);

  /** Changes to an account's links; each link is read again when it is processed. */
  function doing(account: Account, { action, value }: Wish, refusalOf: RefusalOf, write: Write): DoOne {
    const known = references.of(account);
    let left: number | undefined;

    /** The record given as the value may be deleted while the action runs. */
    function change(): BulkChange {
      try {
        return bulkChange({ action, value }, account, known, now());
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { code = 'invalid_value' } = error.details;
        return () => ({ refused: code });
      }
    }

    return (id) => {
      const row = queries.find(id, account.user.id);
      const wantsTrash = action === 'restore' || action === 'purge';
      if (!row || (row.trashed_at !== null && !wantsTrash))
        return { id, outcome: 'not_found', code: 'not_found' };
      const refusal = refusalOf(id);
      if (refusal !== undefined) {
        return { id, outcome: refusal === 'not_found' ? refusal : 'refused', code: refusal };
      }
      if (row.locked === 1 && action !== 'unlock' && action !== 'lock')
        return { id, outcome: 'refused', code: 'locked' };
      left ??= action === 'restore' ? room.left(account) : Number.POSITIVE_INFINITY;
      const next = (left > 0 ? change() : noRoom)(row);
      if (next !== 'purge' && 'refused' in next) return { id, outcome: 'refused', code: next.refused };
      if (next !== 'purge' && !history.isChange(row, next)) return { id, outcome: 'unchanged' };
      const refused = write(row, next);
      if (refused !== undefined) return { id, outcome: 'refused', code: refused };
      left -= 1;
      return { id, outcome: 'done' };
    };
  }

  /** Stores the new state of a link. */
  function writing(changeId: number): Write {
    return (row, next) => {
      if (next === 'purge') {
        queries.remove(row.id);
        return undefined;
      }
      const { channels: channelIds, ...record } = next;
      try {
        transactions.atomically(() => history.store(row, record));
      } catch (error) {
        if (error instanceof Refusal) return error.details.code ?? 'refused';
        throw error;
      }
      history.note(changeId, row, next);
      if (channelIds) channels.setForLink(row.id, channelIds);
      return undefined;
    };
  }

  return {
    /** Changes links, and notes in the history what was done to each. */
    performing: (account: Account, wish: Wish, refusalOf: RefusalOf, changeId: number): DoOne =>
      doing(account, wish, refusalOf, writing(changeId)),

    /** Changes nothing, and returns what would be done. */
    rehearsing(account: Account, wish: Wish, refusalOf: RefusalOf): DoOne {
      const planned = plannedAliases(aliases);
      return doing(account, wish, refusalOf, (row, next) =>
        next === 'purge' || planned.plan(row, next) ? undefined : 'alias_taken',
      );
    },
  };
}

export type BulkEach = ReturnType<typeof bulkEach>;
