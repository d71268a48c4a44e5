import type { Logger } from 'pino';
import { type BulkJob, listedBulkJobs, mostBulkJobs } from '../../contract/bulk-jobs.ts';
import type { BulkAction } from '../../contract/links.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, Refusal, rejected } from '../../platform/errors.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import type { BulkJobQueries, BulkJobRow } from './bulk-job-queries.ts';
import type { BulkOutcomes, BulkRow } from './bulk-outcomes.ts';

interface Options {
  queries: BulkJobQueries;
  transactions: Transactions;
  now: () => number;
  log: Pick<Logger, 'error'>;
}

interface End {
  state: 'done' | 'cancelled' | 'failed';
  problem: { code: string; message: string } | null;
}

/** The person requesting jobs of an account. */
export interface JobReader {
  userId: number;
  personId: number;
  /** Whether they see what others began. */
  seesAll: boolean;
}

/** A job whose request or background work is under way in this process. */
export interface AttendedJob {
  readonly id: number;
  isCancelled(): boolean;
  /** Sets the change that undoes it, and the number of links. */
  begin(changeId: number, total: number): void;
  /** Records links that will not be processed, since they may not be changed: a resumed job skips them. */
  leaveOut(ids: readonly number[]): void;
  /** All links are written down: from now on a stop loses nothing of it. */
  isWritten(): void;
  /** To be called in the transaction that does a link. */
  note(outcomes: BulkOutcomes, row: BulkRow): void;
  /**
   * Marks it as finished. A shutdown does not finish a job that is stored. If it cannot be written now, it is retried.
   */
  end(error?: unknown): void;
}

const stopped = {
  code: 'stopped',
  message: 'The server stopped before anything was changed. Start the action again.',
};

/**
 * Bulk actions that can be followed and cancelled. All that is known of one is in the database, in the transaction that
 * did it, so the numbers are true after a restart, too.
 */
export function bulkJobs({ queries, transactions, now, log }: Options) {
  const attended = new Map<number, { isCancelled: boolean }>();
  /** How jobs ended whose end could not be written, on a full disk for one. */
  const unwritten = new Map<number, End>();
  const { atomically } = transactions;

  function visible(id: number, { userId, personId, seesAll }: JobReader): BulkJobRow {
    const row = queries.find(id, userId);
    if (!row || (!seesAll && row.person_id !== personId)) throw notFound('Bulk action');
    return row;
  }

  return {
    /** Throws 400 when the account has as many under way as it may. */
    checkRoom(userId: number): void {
      if (queries.countUnderWay(userId) < mostBulkJobs) return;
      const message = `${mostBulkJobs} bulk actions are under way already. Wait until one is over, or cancel one.`;
      throw rejected('too_many_jobs', undefined, message);
    },

    /** A new job, which its caller ends. */
    start(userId: number, person: number, action: BulkAction): AttendedJob {
      const id = atomically(() => queries.insert(userId, person, action, now()));
      const state = { isCancelled: false };
      attended.set(id, state);
      const leftOut = new Set<number>();
      let lastId: number | null = null;
      let isWritten = false;
      return {
        id,
        isCancelled: () => state.isCancelled,
        begin: (changeId, total) => queries.setChange(id, changeId, total),
        leaveOut(ids) {
          for (const each of ids) leftOut.add(each);
        },
        isWritten() {
          isWritten = true;
          if (!state.isCancelled) queries.setState(id, 'running');
        },
        note({ counts, codes }, row) {
          if (!leftOut.has(row.id)) lastId = row.id;
          queries.note(id, { counts, codes, lastId });
        },
        end(error) {
          attended.delete(id);
          const isStop = error instanceof Refusal && error.details.code === 'unavailable';
          if (isStop && isWritten) return;
          const end: End =
            error === undefined
              ? { state: state.isCancelled ? 'cancelled' : 'done', problem: null }
              : { state: 'failed', problem: isStop ? stopped : problemOf(error) };
          try {
            atomically(() => queries.finish(id, end.state, end.problem, now()));
          } catch (err) {
            unwritten.set(id, end);
            log.error(
              { err, job: id },
              'the end of a bulk action could not be written; retrying within a minute',
            );
          }
        },
      };
    },

    /** The unfinished job of a change after a stop or a crash; undefined if there is none. */
    ofRest: (changeId: number): BulkJobRow | undefined => queries.ofChange(changeId),

    /** Counts a link that was done after a restart. */
    noteRest(job: BulkJobRow, { id, outcome, code }: BulkRow): void {
      const { done, unchanged, refused, not_found } = job;
      const counts = { done, unchanged, refused, not_found };
      counts[outcome] += 1;
      const codes = JSON.parse(job.codes) as Record<string, number>;
      if (code !== undefined) codes[code] = (codes[code] ?? 0) + 1;
      queries.note(job.id, { counts, codes, lastId: id });
    },

    /** Finishes a job with no work left that nothing processes; undefined if there is none. */
    endLeftOver(): BulkJobRow | undefined {
      const underWay = queries.underWay();
      // Kept until it has been written: the transaction may still fail at its end.
      for (const id of unwritten.keys()) if (underWay.every((job) => job.id !== id)) unwritten.delete(id);
      const left = underWay.find(({ id }) => !attended.has(id));
      if (!left) return undefined;
      const { state, problem } = unwritten.get(left.id) ?? endOf(left.state);
      queries.finish(left.id, state, problem, now());
      return left;
    },

    /** Ends a job of an account that is switched off. */
    giveUp: (id: number): void =>
      queries.finish(
        id,
        'failed',
        { code: 'account_disabled', message: 'The account was deactivated.' },
        now(),
      ),

    /** Throws 404 if it is not visible to the person, and 400 if it has finished. */
    cancel(id: number, reader: JobReader): void {
      const row = visible(id, reader);
      if (row.finished_at !== null)
        throw rejected('already_over', undefined, 'This bulk action has finished. You can undo it.');
      atomically(() => queries.setState(id, 'cancelling'));
      const state = attended.get(id);
      if (state) state.isCancelled = true;
    },

    /** Throws 404 if it is not visible to the person. */
    get: (id: number, reader: JobReader, timezone: string): BulkJob => present(visible(id, reader), timezone),

    /** The newest ones, newest first. */
    list: ({ userId, personId, seesAll }: JobReader, timezone: string): BulkJob[] =>
      queries.newest(userId, seesAll ? null : personId, listedBulkJobs).map((row) => present(row, timezone)),
  };
}

export type BulkJobs = ReturnType<typeof bulkJobs>;

/** How a job ended that a stop or a crash has left without anything to do. */
function endOf(state: BulkJobRow['state']): End {
  if (state === 'preparing') return { state: 'failed', problem: stopped };
  return { state: state === 'cancelling' ? 'cancelled' : 'done', problem: null };
}

/** The message of an error; for bugs, only that one occurred. */
function problemOf(error: unknown): { code: string; message: string } {
  if (error instanceof Refusal) return { code: error.details.code, message: error.message };
  return { code: 'internal', message: 'Something went wrong on the server. What was already done stays.' };
}

function present(row: BulkJobRow, timezone: string): BulkJob {
  const { id, action, state, total, done, unchanged, refused, not_found, finished_at } = row;
  const canUndo = finished_at !== null && action !== 'purge' && done > 0 && row.is_undone === 0;
  return {
    id,
    action,
    state,
    total,
    counts: { done, unchanged, refused, not_found },
    codes: JSON.parse(row.codes) as Record<string, number>,
    undo: canUndo ? row.change_id : null,
    problem: row.problem === null ? null : (JSON.parse(row.problem) as { code: string; message: string }),
    date: presentTimestamp(row.started_at, timezone),
    finished: presentOptional(finished_at, timezone),
  };
}
