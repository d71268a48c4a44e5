import type { Logger } from 'pino';
import type { BodyOf } from '../../contract/endpoint.ts';
import type { bulkLinks } from '../../contract/links.ts';
import { guardCommit } from '../../platform/database/commit-guard.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { Refusal, rejected, unauthorized, unavailable } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { WriteGate } from '../../platform/http/write-gate.ts';
import type { Backlog } from '../../platform/jobs/backlog.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import { bulkChange } from './bulk-actions.ts';
import type { BulkEach, DoOne, RefusalOf } from './bulk-each.ts';
import type { AttendedJob, BulkJobs } from './bulk-jobs.ts';
import { type BulkOutcomes, type BulkRow, bulkOutcomes } from './bulk-outcomes.ts';
import { type BulkQueries, unfinished } from './bulk-queries.ts';
import { bulkRest } from './bulk-rest.ts';
import type { LinkHistory } from './history.ts';
import type { LinkFilter } from './link-filter.ts';
import type { LinkLists } from './list-queries.ts';
import type { LinkReferences } from './references.ts';

type Request = BodyOf<typeof bulkLinks>;

/** The person's current permissions. */
export interface BulkRights {
  person: number;
  /** Throws if they may not continue. */
  check(): void;
  refusalOf: RefusalOf;
}

interface Options {
  each: BulkEach;
  jobs: BulkJobs;
  lists: Pick<LinkLists, 'idLists'>;
  parts: BulkQueries;
  references: LinkReferences;
  history: LinkHistory;
  reader: Reader;
  slices: Slices;
  backlog: Backlog;
  /** An account by its id; undefined if it is deleted or disabled. */
  findAccount: (id: number) => Account | undefined;
  now: () => number;
  transactions: Transactions;
  /** Background work does not write while it is closed: the current state is being saved, to be replaced. */
  writes: Pick<WriteGate, 'isClosed' | 'opened'>;
  onPurge: () => void;
  changes: Pick<Changes, 'publish'>;
  log: Pick<Logger, 'error'>;
}

/** Links per stored part. */
const partSize = 10;
/** The number of links from which an action is a job: remaining links are stored, so that the next start can resume. */
const long = 100;

/** The result of an action for its request. */
export interface BulkResult {
  outcomes: BulkOutcomes;
  undo: number | null;
  job: number | null;
  isCancelled: boolean;
}

/**
 * A bulk operation on links, with the result of each (decision 0013). It runs in slices, each a transaction: what a
 * crash or stop interrupts is resumed after the next start, and undo covers the whole action. A long one is a job,
 * which can be followed and cancelled (decision 0098).
 */
export function bulkService(options: Options) {
  const { each, jobs, parts, references, history, slices, now, transactions, writes, log } = options;
  /** Changes whose request or background work is under way. */
  const attended = new Set<number>();

  async function targets(
    account: Account,
    { ids, filter, action, except }: Request,
    isCancelled: () => boolean,
  ): Promise<number[]> {
    if (!filter) return [...new Set(ids)];
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
      if (done || isCancelled()) return false;
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

  /** The same for what no request waits for, which a restore that saves the present state does not wait for either. */
  async function inBackground(step: () => boolean, whatThen?: string): Promise<void> {
    let isOver = false;
    while (!isOver) {
      await writes.opened();
      await inSlices(() => {
        if (writes.isClosed()) return false;
        isOver = !step();
        return !isOver;
      }, whatThen);
    }
  }

  async function rehearse(
    account: Account,
    request: Request,
    ids: readonly number[],
    rights: BulkRights,
  ): Promise<BulkOutcomes> {
    const doOne = each.rehearsing(account, request, rights.refusalOf);
    const outcomes = bulkOutcomes();
    await inSlices(() => doNext(ids, doOne, outcomes) !== undefined);
    return outcomes;
  }

  /** Stores what remains to be done, so that a stop loses none of it. */
  async function writeDown(
    { action, value }: Request,
    userId: number,
    ids: readonly number[],
    rights: BulkRights,
    { changeId, job, run }: { changeId: number; job: AttendedJob; run: typeof inSlices },
  ): Promise<void> {
    let part = unfinished;
    await run(() => {
      if (job.isCancelled()) return false;
      const some = part < 0 ? [] : ids.slice(part * partSize, (part + 1) * partSize);
      const isMore = part < 0 || some.length > 0;
      // Permissions are not checked again after a stop: only permitted links are stored.
      const allowed = some.filter((id) => rights.refusalOf(id) === undefined);
      if (allowed.length < some.length) job.leaveOut(some.filter((id) => !allowed.includes(id)));
      if (isMore) parts.insert({ changeId, part, userId, action, value, ids: allowed });
      else {
        parts.remove(changeId, unfinished);
        job.isWritten();
      }
      part += 1;
      return isMore;
    });
  }

  async function perform(
    account: Account,
    request: Request,
    ids: readonly number[],
    rights: BulkRights,
    { changeId, job, run }: { changeId: number; job: AttendedJob | undefined; run: typeof inSlices },
  ): Promise<BulkOutcomes> {
    const doOne = each.performing(account, request, rights.refusalOf, changeId);
    const userId = account.user.id;
    if (job) await writeDown(request, userId, ids, rights, { changeId, job, run });
    const outcomes = bulkOutcomes();
    await run(
      () => {
        if (job?.isCancelled()) return false;
        // Deleted: so is its change, and there is nothing to record.
        if (!options.findAccount(userId)) throw unauthorized();
        // It may take seconds, and revoked permissions take effect immediately.
        rights.check();
        const row = doNext(ids, doOne, outcomes);
        if (!row) return false;
        const done = outcomes.total();
        const isPartOver = done % partSize === 0 || done === ids.length;
        if (isPartOver && job) parts.remove(changeId, Math.ceil(done / partSize) - 1);
        job?.note(outcomes, row);
        return true;
      },
      job ? 'What is left of this is done' : 'Send it again',
    );
    if (job?.isCancelled()) await slices.run(() => parts.removeSome(changeId));
    return outcomes;
  }

  /** Runs an action from start to end. A long one becomes a job if it is not one yet. */
  async function act(
    account: Account,
    request: Request,
    rights: BulkRights,
    begun?: AttendedJob,
  ): Promise<BulkResult> {
    const { action } = request;
    const userId = account.user.id;
    const ids = await targets(account, request, () => begun?.isCancelled() === true);
    const job = begun ?? (ids.length > long ? jobs.start(userId, rights.person, action) : undefined);
    const run = begun ? inBackground : inSlices;
    if (begun) await writes.opened();
    let changeId: number;
    try {
      changeId = transactions.atomically(() => {
        const id = history.begin(userId, `bulk ${action}`);
        job?.begin(id, ids.length);
        return id;
      });
    } catch (error) {
      if (!begun) job?.end(error);
      throw error;
    }
    attended.add(changeId);
    try {
      const outcomes = await perform(account, request, ids, rights, { changeId, job, run });
      options.changes.publish({ accountId: userId, resource: 'links', ids: outcomes.told() });
      if (action === 'purge') options.onPurge();
      const canUndo = action !== 'purge' && outcomes.counts.done > 0;
      if (!begun) job?.end();
      return {
        outcomes,
        undo: canUndo ? changeId : null,
        job: job?.id ?? null,
        isCancelled: job?.isCancelled() === true,
      };
    } catch (error) {
      // Work that failed with an error is not resumed; after a stop it is.
      const isStop = error instanceof Refusal && error.details.code === 'unavailable';
      if (!isStop) await slices.run(() => parts.removeSome(changeId)).catch(() => {});
      options.changes.publish({ accountId: userId, resource: 'links', ids: [] });
      if (!begun) job?.end(error);
      throw error;
    } finally {
      attended.delete(changeId);
      // An empty change is deleted, unless a part left for the next start may still fill it.
      transactions.atomically(() => history.end(changeId));
    }
  }

  const wakeRest = options.backlog.add({
    name: 'bulk actions',
    step: bulkRest({ ...options, isAttended: (changeId) => attended.has(changeId) }),
  });

  return {
    /**
     * Throws 400 for a value that the action cannot work with, 503 when the server stops meanwhile, or what
     * `rights.check` throws: what was done by then stays, and can be undone.
     */
    async run(account: Account, request: Request, rights: BulkRights): Promise<BulkResult> {
      checkTargets(request);
      bulkChange(request, account, references.of(account), now());
      if (!request.dryrun) return act(account, request, rights);
      const ids = await targets(account, request, () => false);
      const outcomes = await rehearse(account, request, ids, rights);
      return { outcomes, undo: null, job: null, isCancelled: false };
    },

    /**
     * Starts an action that continues after its request, and returns its job id. Throws 400 for an invalid value, and
     * if too many are running.
     */
    startInBackground(account: Account, request: Request, rights: BulkRights): number {
      bulkChange(request, account, references.of(account), now());
      checkTargets(request);
      jobs.checkRoom(account.user.id);
      const job = jobs.start(account.user.id, rights.person, request.action);
      // The request has ended when this runs, so the work itself checks the person and their permissions.
      guardCommit({ check: rights.check, person: rights.person }, () => act(account, request, rights, job))
        .then(
          () => job.end(),
          (err) => {
            if (!(err instanceof Refusal)) log.error({ err, job: job.id }, 'a bulk action failed');
            job.end(err);
          },
        )
        .catch((err) => log.error({ err, job: job.id }, 'the end of a bulk action could not be announced'));
      return job.id;
    },

    /** Whether a change is still being done, so that it cannot be undone yet. */
    isUnderWay: (changeId: number): boolean =>
      attended.has(changeId) || parts.next(changeId - 1)?.changeId === changeId,

    /** Resumes unfinished actions that nothing processes. */
    cancelRest: (): void => void wakeRest(),
  };
}

export type BulkService = ReturnType<typeof bulkService>;

/** Throws 400 unless a request says in one way which links it is about: two might not mean the same ones. */
function checkTargets({ ids, filter }: Request): void {
  if (!ids && !filter) throw rejected('required', 'ids', 'Send ids or a filter.');
  if (ids && filter) throw rejected('exclusive', 'filter', 'Send either ids or a filter, not both.');
}

/** Processes the link after those with a result, and records its own; undefined if there is none. */
function doNext(ids: readonly number[], doOne: DoOne, outcomes: BulkOutcomes): BulkRow | undefined {
  const id = ids[outcomes.total()];
  if (id === undefined) return undefined;
  const row = doOne(id);
  outcomes.note(row);
  return row;
}
