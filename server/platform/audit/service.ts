import type { Changes } from '../events/changes.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { Slices } from '../jobs/slices.ts';
import type { Actor } from './actor.ts';
import type { AuditQueries, NewAuditRow } from './queries.ts';

const day = 86_400_000;
/** Entries are kept for 400 days: a year and the month in which somebody looks back at it. */
const kept = 400 * day;
/** Each is in ten indexes. */
const rowsPerStep = 10;

export type AuditDetails = Record<string, string | number | boolean | null | string[]>;

export interface AuditLog {
  /**
   * Writes who did what. `about` is the account concerned, by default the one in which it was done. Details must hold no secret.
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
}

/** The audit log. */
export function auditLog({ queries, now, changes }: Options): AuditLog {
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
      queries.insert(rowOf(actor, action, details, about));
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
