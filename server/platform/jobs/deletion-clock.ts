import type { Logger } from 'pino';
import type { Connection } from '../database/connect.ts';

export interface DeletionClock {
  /**
   * Whether data may be deleted because it expired. False while the wall clock is far ahead of the last trusted time:
   * a clock that is wrong for an hour must not empty the trash. Check it before each such deletion.
   */
  isTrusted(): boolean;
  /** Since when the clock has shown a time that is not trusted yet, UTC milliseconds; null while it is trusted. */
  doubtedSince(): number | null;
}

interface Options {
  /** The connection for user data. */
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
/** A jump up to this length is treated as a pause of the machine: nothing is kept for such a short time. */
const farMs = 7 * dayMs;
/** How long a clock must run from where it jumped to until it is trusted. */
const provenMs = dayMs;

/**
 * Decides whether the wall clock may be used for deletion. It is trusted while it advances from the last trusted time;
 * after a long pause or a jump it must run for a day first, across restarts.
 */
export function deletionClock({ database, now, log }: Options): DeletionClock {
  const find = database.prepare<[], ClockRow>('SELECT trusted_at, ahead_since, ahead_seen FROM clock');
  const store = database.prepare<[ClockRow]>(
    `INSERT INTO clock (id, trusted_at, ahead_since, ahead_seen) VALUES (1, @trusted_at, @ahead_since, @ahead_seen)
     ON CONFLICT (id) DO UPDATE SET trusted_at = @trusted_at, ahead_since = @ahead_since, ahead_seen = @ahead_seen`,
  );
  // The last known activity of an instance without such a row; links and clicks in the order of their ids.
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
    // A clock that was set back, or its earlier values, are no reason to wait.
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

/** Whether it is worth a synced commit: jobs ask every minute, and only days matter. */
function isNews(row: ClockRow, before: ClockRow): boolean {
  return (
    row.ahead_since !== before.ahead_since ||
    Math.abs(row.trusted_at - before.trusted_at) >= hourMs ||
    Math.abs((row.ahead_seen ?? 0) - (before.ahead_seen ?? 0)) >= hourMs
  );
}
