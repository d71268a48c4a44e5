import { boundedCache } from '../concurrency/bounded-cache.ts';
import type { Changes } from '../events/changes.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { Slices } from '../jobs/slices.ts';
import type { Actor } from './actor.ts';
import type { AuditQueries, NewAuditRow } from './queries.ts';

const day = 86_400_000;
/** Entries are kept for 400 days: a year and the month in which somebody looks back at it. */
const kept = 400 * day;
/**
 * So many entries of one action by one person in one account are written a day; the rest are counted in one more.
 * Whoever makes and deletes keys all day would fill the disk, and bury what others look for.
 */
const mostSingleADay = 250;
/** Half of the runs that are remembered. */
const runsAtOnce = 5_000;
/** Each is in ten indexes. */
const rowsPerStep = 10;

export type AuditDetails = Record<string, string | number | boolean | null | string[]>;

/**
 * What one person did in one account since a moment. What was refused in the end is counted, too: a transaction may be
 * rolled back after its note, and the id of the note is given away again. What is there is asked of the database.
 */
interface Run {
  startedAt: number;
  entries: number;
  /** The entry that counts the rest. */
  rest: number | undefined;
}

export interface AuditLog {
  /**
   * Writes who did what, or counts it where they did that very often in a day. `about` is the account concerned, by
   * default the one in which it was done. Details must hold no secret.
   * Called inside the transaction of the change, so that neither exists without the other.
   */
  note(actor: Actor, action: string, details?: AuditDetails, about?: number | null): void;
  /** Takes as long as a note and leaves none: for what must not be told apart by time from what is noted (T-07). */
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
    // What strangers do has limits of its own, and takes as long whether the account exists or not (T-07).
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
  /** Asked before entries are removed for their age. */
  isClockTrusted: () => boolean;
}

/** Removes entries that are too old, once a day. */
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
