import type { Logger } from 'pino';
import type { Connection } from '../database/connect.ts';

export interface DeletionClock {
  /**
   * Whether things may be deleted for being old. False while the wall clock is far beyond the last moment it was
   * trusted to tell: a clock that is wrong for an hour must not empty the trash. To be asked before each such deletion.
   */
  isTrusted(): boolean;
  /** Since when the clock has been telling a moment that is not believed yet, UTC milliseconds; null while it is. */
  doubtedSince(): number | null;
}

interface Options {
  /** The connection for what users do. */
  database: Connection;
  now: () => number;
  log: Pick<Logger, 'warn' | 'info'>;
}

interface ClockRow {
  trusted_at: number;
  ahead_since: number | null;
  ahead_seen: number | null;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A jump that is taken for a pause of the machine. Nothing is kept so briefly that it would be lost by it for good. */
const farMs = 7 * dayMs;
/** How long a clock has to go on from where it jumped to until it is believed. */
const provenMs = dayMs;

/**
 * Decides whether the wall clock may delete. It is trusted as long as it goes on from the last moment it was trusted
 * at; after a long pause or a jump it has to tell the new time for a day, also over restarts.
 */
export function deletionClock({ database, now, log }: Options): DeletionClock {
  const find = database.prepare<[], ClockRow>('SELECT trusted_at, ahead_since, ahead_seen FROM clock');
  const store = database.prepare<[ClockRow]>(
    `INSERT INTO clock (id, trusted_at, ahead_since, ahead_seen) VALUES (1, @trusted_at, @ahead_since, @ahead_seen)
     ON CONFLICT (id) DO UPDATE SET trusted_at = @trusted_at, ahead_since = @ahead_since, ahead_seen = @ahead_seen`,
  );
  // What an instance that has no such row yet was last known to do; links and clicks in the order of their ids.
  const newest = database
    .prepare<[], number | null>(
      `SELECT max(
         coalesce((SELECT at FROM audit ORDER BY id DESC LIMIT 1), 0),
         coalesce((SELECT at FROM clicks ORDER BY id DESC LIMIT 1), 0),
         coalesce((SELECT created_at FROM links ORDER BY id DESC LIMIT 1), 0),
         coalesce((SELECT max(last_used_at) FROM keys), 0))`,
    )
    .pluck();
  let warned = false;

  function next(row: ClockRow | undefined, at: number): ClockRow {
    const trusted = row?.trusted_at ?? (newest.get() || at);
    // A clock that was set back is no reason to wait, and neither is what it told before.
    if (at <= trusted + farMs) return { trusted_at: at, ahead_since: null, ahead_seen: null };
    const since = row?.ahead_since ?? null;
    const seen = row?.ahead_seen ?? null;
    const goesOn = since !== null && seen !== null && at >= seen && at <= seen + farMs;
    if (!goesOn) return { trusted_at: trusted, ahead_since: at, ahead_seen: at };
    if (at - since >= provenMs) return { trusted_at: at, ahead_since: null, ahead_seen: null };
    return { trusted_at: trusted, ahead_since: since, ahead_seen: at };
  }

  return {
    isTrusted() {
      const before = find.get();
      const row = next(before, now());
      if (!before || isNews(row, before)) store.run(row);
      const trusted = row.ahead_since === null;
      if (!trusted && !warned) {
        const [last, told] = [row.trusted_at, now()].map((at) => new Date(at).toISOString());
        log.warn({ last, told }, 'the clock is far ahead of the last known time: nothing is deleted by age');
      } else if (trusted && warned) log.info('the clock is trusted again: deletion by age resumes');
      warned = !trusted;
      return trusted;
    },
    doubtedSince: () => find.get()?.ahead_since ?? null,
  };
}

/** Whether it is worth a commit, which waits for the disk: jobs ask every minute, and days are what counts. */
function isNews(row: ClockRow, before: ClockRow): boolean {
  return (
    row.ahead_since !== before.ahead_since ||
    Math.abs(row.trusted_at - before.trusted_at) >= hourMs ||
    Math.abs((row.ahead_seen ?? 0) - (before.ahead_seen ?? 0)) >= hourMs
  );
}
