import type { BodyOf } from '../../contract/endpoint.ts';
import type { bulkLinks } from '../../contract/links.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { Refusal, rejected, unauthorized, unavailable } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { Backlog } from '../../platform/jobs/backlog.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import { type BulkChange, bulkChange, noRoom } from './bulk-actions.ts';
import { type BulkOutcomes, type BulkRow, bulkOutcomes } from './bulk-outcomes.ts';
import type { BulkQueries } from './bulk-queries.ts';
import type { LinkHistory } from './history.ts';
import type { LinkFilter, LinkLists } from './list-queries.ts';
import { type PlannedAliases, plannedAliases } from './planned-aliases.ts';
import type { LinkQueries } from './queries.ts';
import { linkQuota } from './quota.ts';
import type { LinkReferences } from './references.ts';

type Request = BodyOf<typeof bulkLinks>;

/** What the person who asks may do, as it is when it is asked. */
export interface BulkRights {
  /** Throws when they may go on no longer. */
  check(): void;
  /** Why a link stays as it is for them; undefined where they may change it. */
  refusalOf(id: number): 'role_too_low' | 'not_found' | undefined;
}

interface Options {
  queries: LinkQueries;
  lists: Pick<LinkLists, 'idLists'>;
  parts: BulkQueries;
  aliases: AliasQueries;
  channels: ChannelQueries;
  references: LinkReferences;
  history: LinkHistory;
  reader: Reader;
  slices: Slices;
  backlog: Backlog;
  /** An account by its id; undefined when it is gone or switched off. */
  findAccount: (id: number) => Account | undefined;
  now: () => number;
  transactions: Transactions;
  onPurge: () => void;
  changes: Pick<Changes, 'publish'>;
}

/** Links of one part of what is written down; a part that was begun before a crash is done again, which changes nothing. */
const partSize = 10;
/** The part that is there while not all of them are written down: half an action is not gone on with. */
const unfinished = -1;
/** From how many links on the rest of an action is written down, so that the next start goes on with it. */
const long = 100;

const anyLink: Pick<BulkRights, 'refusalOf'> = { refusalOf: () => undefined };

/** One thing done to links of an account; to be told of each link. */
type DoOne = (id: number) => BulkRow;

/**
 * One thing done to many links, with the outcome of each (decision 0013). It is done in slices, each a transaction:
 * what a crash or a stop leaves over is done after the next start, and the undo of the action is about all of it.
 */
export function bulkService(options: Options) {
  const { queries, parts, aliases, channels, references, history, slices, now, transactions } = options;
  const room = linkQuota(queries);
  /** Actions whose request is under way. */
  const attended = new Set<number>();
  let rest: { changeId: number; doOne: DoOne } | undefined;

  async function targets(account: Account, { ids, filter, action, except }: Request): Promise<number[]> {
    if (ids) return [...new Set(ids)];
    if (!filter) throw rejected('required', 'ids', 'Send ids or a filter.');
    const { domain, ...others } = filter;
    const resolved: LinkFilter = { ...others };
    if (domain !== undefined) resolved.domain = references.domainOf(domain, account.user.id) ?? 0;
    if (action === 'restore' || action === 'purge') resolved.status = 'trash';
    const [lists = []] = await options.reader.read([options.lists.idLists(account.user.id, resolved, now())]);
    const left = new Set(except);
    const found: number[] = [];
    const next = lists.values();
    await inSlices(() => {
      const { value, done } = next.next();
      if (done) return false;
      for (const id of JSON.parse(String(value.ids)) as number[]) if (!left.has(id)) found.push(id);
      return true;
    });
    return found;
  }

  /** Throws 503 when the server stops before the end. */
  async function inSlices(
    step: () => boolean,
    whatThen = 'Nothing was changed; send it again',
  ): Promise<void> {
    if (await slices.run(step)) return;
    throw unavailable(`The server is stopping. ${whatThen} after its next start.`);
  }

  /** The change of an account's links; a link is looked at anew when its turn comes. */
  function doing(
    account: Account,
    { action, value }: Pick<Request, 'action' | 'value'>,
    rights: Pick<BulkRights, 'refusalOf'>,
    write: Write,
  ): DoOne {
    const known = references.of(account.user.id);
    let left: number | undefined;

    /** What the value names may be deleted while the action is under way. */
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
      const refusal = rights.refusalOf(id);
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

  /** Stores the new state of a link; returns the code of a refusal. */
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

  function planning(planned: PlannedAliases): Write {
    return (row, next) => (next === 'purge' || planned.plan(row, next) ? undefined : 'alias_taken');
  }

  async function rehearse(
    account: Account,
    request: Request,
    ids: readonly number[],
    rights: BulkRights,
  ): Promise<BulkOutcomes> {
    const doOne = doing(account, request, rights, planning(plannedAliases(aliases)));
    const outcomes = bulkOutcomes();
    await inSlices(() => doNext(ids, doOne, outcomes));
    return outcomes;
  }

  async function perform(
    account: Account,
    request: Request,
    ids: readonly number[],
    rights: BulkRights,
    changeId: number,
  ): Promise<BulkOutcomes> {
    const { action, value } = request;
    const doOne = doing(account, request, rights, writing(changeId));
    const isLong = ids.length > long;
    const userId = account.user.id;
    const idsOf = (part: number) => (part < 0 ? [] : ids.slice(part * partSize, (part + 1) * partSize));
    if (isLong) {
      let part = unfinished;
      await inSlices(() => {
        const some = idsOf(part);
        const isMore = part < 0 || some.length > 0;
        // What is done after a stop is not asked for again: only what they may change is written down.
        const allowed = some.filter((id) => rights.refusalOf(id) === undefined);
        if (isMore) parts.insert({ changeId, part, userId, action, value, ids: allowed });
        else parts.remove(changeId, unfinished);
        part += 1;
        return isMore;
      });
    }
    const outcomes = bulkOutcomes();
    await inSlices(
      () => {
        // Gone: its change is, too, and nothing is to be noted there.
        if (!options.findAccount(userId)) throw unauthorized();
        // It may take seconds, and a role that ends, ends at once.
        rights.check();
        const isMore = doNext(ids, doOne, outcomes);
        const done = outcomes.total();
        const isPartOver = done % partSize === 0 || done === ids.length;
        if (isLong && isMore && isPartOver) parts.remove(changeId, Math.ceil(done / partSize) - 1);
        return isMore;
      },
      isLong ? 'What is left of this is done' : 'Send it again',
    );
    return outcomes;
  }

  /** One link of an action that the server was stopped in; false when there is none. */
  function doRest(): boolean {
    let part = parts.next(0);
    while (part && attended.has(part.changeId)) part = parts.next(part.changeId);
    if (!part) return false;
    const { changeId, userId, action, ids } = part;
    // Nothing was done yet, and nobody was told that it would be.
    if (part.part === unfinished) return parts.removeSome(changeId);
    const account = options.findAccount(userId);
    const [id] = ids;
    if (account && ids.length > 1) parts.removeFirst(changeId, part.part);
    else parts.remove(changeId, part.part);
    if (!account || id === undefined) return true;
    if (rest?.changeId !== changeId) {
      rest = { changeId, doOne: doing(account, part, anyLink, writing(changeId)) };
    }
    rest.doOne(id);
    if (ids.length === 1 && parts.next(changeId - 1)?.changeId !== changeId) {
      history.end(changeId);
      options.changes.publish({ accountId: userId, resource: 'links', ids: [] });
      if (action === 'purge') options.onPurge();
    }
    return true;
  }
  options.backlog.add({ name: 'bulk actions', step: doRest });

  return {
    /**
     * Throws 400 for a value that the action cannot work with, 503 when the server stops meanwhile, or what `rights.check`
     * throws: what was done by then stays, and can be undone.
     */
    async run(
      account: Account,
      request: Request,
      rights: BulkRights,
    ): Promise<{ outcomes: BulkOutcomes; undo: number | null }> {
      const userId = account.user.id;
      bulkChange(request, account, references.of(userId), now());
      const ids = await targets(account, request);
      if (request.dryrun) return { outcomes: await rehearse(account, request, ids, rights), undo: null };
      const changeId = transactions.atomically(() => history.begin(userId, `bulk ${request.action}`));
      attended.add(changeId);
      try {
        const outcomes = await perform(account, request, ids, rights, changeId);
        options.changes.publish({ accountId: userId, resource: 'links', ids: outcomes.told() });
        if (request.action === 'purge') options.onPurge();
        const canUndo = request.action !== 'purge' && outcomes.counts.done > 0;
        return { outcomes, undo: canUndo ? changeId : null };
      } catch (error) {
        // What was refused with an error is not done later; after a stop it is.
        const isStop = error instanceof Refusal && error.details.code === 'unavailable';
        if (!isStop) await slices.run(() => parts.removeSome(changeId)).catch(() => {});
        options.changes.publish({ accountId: userId, resource: 'links', ids: [] });
        throw error;
      } finally {
        attended.delete(changeId);
        // What nothing was written of is no change; a part that is left for the next start may still be one.
        transactions.atomically(() => history.end(changeId));
      }
    },
  };
}

export type BulkService = ReturnType<typeof bulkService>;

type Write = (
  row: Parameters<BulkChange>[0],
  next: Exclude<ReturnType<BulkChange>, { refused: string }>,
) => string | undefined;

/** Does the link after those that have an outcome, and notes its own; false when there is none. */
function doNext(ids: readonly number[], doOne: DoOne, outcomes: BulkOutcomes): boolean {
  const id = ids[outcomes.total()];
  if (id === undefined) return false;
  outcomes.note(doOne(id));
  return true;
}
