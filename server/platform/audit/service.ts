import { boundedCache } from '../concurrency/bounded-cache.ts';
import type { Changes } from '../events/changes.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { Slices } from '../jobs/slices.ts';
import type { Actor } from './actor.ts';
import type { AuditQueries, NewAuditRow } from './queries.ts';

const day = 86_400_000;
/** Entries are kept for 400 days: a year, plus a month to review it. */
const kept = 400 * day;
/**
 * The number of entries of one action by one person in one account per day; the rest are counted in a single entry.
 * Otherwise someone who creates and deletes keys all day could fill the disk and bury other entries.
 */
const mostSingleADay = 250;
/** Half of the runs kept in memory. */
const runsAtOnce = 5_000;
/** Each entry is in ten indexes. */
const rowsPerStep = 10;

export type AuditDetails = Record<string, string | number | boolean | null | string[]>;

/**
 * What one person did in one account since a timestamp. Includes what failed in the end: a transaction may be rolled
 * back after its entry, and the entry's id reused. The database is the source of truth.
 */
interface Run {
  startedAt: number;
  entries: number;
  /** The entry that counts the rest. */
  rest: number | undefined;
}

export interface AuditLog {
  /**
   * Logs who did what, or counts it if they did it very often that day. `about` is the account concerned, by default
   * the one in which it was done. Details must not contain secrets. Called inside the transaction of the change, so
   * that both are committed together.
   */
  note(actor: Actor, action: string, details?: AuditDetails, about?: number | null): void;
  /** Takes as long as logging but stores nothing: for cases that must not be distinguishable by timing (T-07). */
  noteNothing(actor: Actor, action: string, details?: AuditDetails): void;
}

interface Options {
  queries: AuditQueries;
  now: () => number;
  changes: Pick<Changes, 'publish'>;
  mostSingle?: number;
}

/** The audit log. */
export function auditLog({ queries, now, changes, mostSingle = mostSingleADay }: Options): AuditLog {
  const runs = boundedCache<string, Run>(runsAtOnce);

  function runOf({ action, userId, actorId, at }: NewAuditRow): Run {
    const key = `${action} ${userId} ${actorId}`;
    const last = runs.get(key);
    if (last && at - last.startedAt < day && at >= last.startedAt) return last;
    const run: Run = { startedAt: at, entries: 0, rest: undefined };
    runs.set(key, run);
    return run;
  }

  function write(row: NewAuditRow): void {
    // Anonymous actions have their own limits, and take the same time whether the account exists or not (T-07).
    const run = row.actorId === null ? undefined : runOf(row);
    if (!run || run.entries < mostSingle) {
      queries.insert(row);
      if (run) run.entries += 1;
      return;
    }
    if (run.rest !== undefined && queries.countOneMore(run.rest, row)) return;
    run.entries = queries.countSince(row, run.startedAt, mostSingle);
    const isFull = run.entries >= mostSingle;
    const id = queries.insert(isFull ? { ...row, details: JSON.stringify({ times: 1 }) } : row);
    if (isFull) run.rest = id;
    else run.entries += 1;
  }

  function rowOf(actor: Actor, action: string, details: AuditDetails, about: number | null): NewAuditRow {
    return {
      at: now(),
      action,
      userId: about,
      actorId: actor.userId,
      actor: actor.name,
      keyId: actor.keyId,
      keyName: actor.keyName,
      address: actor.address,
      details: JSON.stringify(details),
    };
  }

  return {
    note(actor, action, details = {}, about = actor.accountId ?? actor.userId) {
      write(rowOf(actor, action, details, about));
      for (const id of new Set([about, actor.userId])) {
        if (id !== null) changes.publish({ accountId: id, resource: 'audit', ids: [] });
      }
    },
    noteNothing: (actor, action, details = {}) => queries.insertNothing(rowOf(actor, action, details, null)),
  };
}

interface SweepOptions {
  queries: Pick<AuditQueries, 'removeBefore'>;
  slices: Pick<Slices, 'run'>;
  now: () => number;
  /** Checked before entries expire. */
  isClockTrusted: () => boolean;
}

/** Deletes expired entries once a day. */
export function auditSweep({ queries, slices, now, isClockTrusted }: SweepOptions): Job {
  return {
    name: 'audit',
    intervalMs: () => day,
    firstMs: 240_000,
    async run(signal) {
      if (!isClockTrusted()) return;
      const before = now() - kept;
      await slices.run(() => !signal.aborted && queries.removeBefore(before, rowsPerStep) === rowsPerStep);
    },
  };
}
