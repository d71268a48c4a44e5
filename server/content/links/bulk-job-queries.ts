import type { bulkJobStates } from '../../contract/bulk-jobs.ts';
import type { BulkAction } from '../../contract/links.ts';
import type { Connection } from '../../platform/database/connect.ts';

export type BulkJobState = (typeof bulkJobStates)[number];

/** What became of the links of a job so far. */
export interface JobCounts {
  done: number;
  unchanged: number;
  refused: number;
  not_found: number;
}

export interface BulkJobRow extends JobCounts {
  id: number;
  user_id: number;
  person_id: number;
  change_id: number | null;
  action: BulkAction;
  state: BulkJobState;
  total: number;
  codes: string;
  last_id: number | null;
  problem: string | null;
  started_at: number;
  finished_at: number | null;
  /** Whether its change was taken back. */
  is_undone: 0 | 1;
}

/** How far a job is. */
interface Progress {
  counts: JobCounts;
  codes: Record<string, number>;
  /** The link that was counted last. */
  lastId: number | null;
}

/** The number of jobs kept per account. */
const mostKept = 50;

const columns = `bulk_jobs.*,
  EXISTS (SELECT 1 FROM changes WHERE changes.id = change_id AND undone_at IS NOT NULL) AS is_undone`;

/** SQL of bulk actions that can be followed. */
export function bulkJobQueries(database: Connection) {
  const insert = database.prepare<[number, number, BulkAction, number]>(
    `INSERT INTO bulk_jobs (user_id, person_id, action, state, started_at) VALUES (?, ?, ?, 'preparing', ?)`,
  );
  const forget = database.prepare<{ user: number; most: number }>(
    `DELETE FROM bulk_jobs WHERE finished_at IS NOT NULL AND id IN (
       SELECT id FROM bulk_jobs WHERE user_id = @user ORDER BY id DESC LIMIT -1 OFFSET @most)`,
  );
  const setChange = database.prepare<[number, number, number]>(
    'UPDATE bulk_jobs SET change_id = ?, total = ? WHERE id = ?',
  );
  const setState = database.prepare<[BulkJobState, number]>('UPDATE bulk_jobs SET state = ? WHERE id = ?');
  const note = database.prepare<[JobCounts & { codes: string; last: number | null; id: number }]>(
    `UPDATE bulk_jobs SET done = @done, unchanged = @unchanged, refused = @refused, not_found = @not_found,
       codes = @codes, last_id = @last WHERE id = @id`,
  );
  const finish = database.prepare<[BulkJobState, string | null, number, number]>(
    'UPDATE bulk_jobs SET state = ?, problem = ?, finished_at = ? WHERE id = ? AND finished_at IS NULL',
  );
  const byId = database.prepare<[number, number], BulkJobRow>(
    `SELECT ${columns} FROM bulk_jobs WHERE id = ? AND user_id = ?`,
  );
  const byChange = database.prepare<[number], BulkJobRow>(
    `SELECT ${columns} FROM bulk_jobs WHERE change_id = ?`,
  );
  const newest = database.prepare<{ user: number; person: number | null; limit: number }, BulkJobRow>(
    `SELECT ${columns} FROM bulk_jobs WHERE user_id = @user AND person_id = ifnull(@person, person_id)
     ORDER BY id DESC LIMIT @limit`,
  );
  const underWay = database.prepare<[], BulkJobRow>(
    `SELECT ${columns} FROM bulk_jobs WHERE finished_at IS NULL ORDER BY id`,
  );
  const countUnderWay = database
    .prepare<[number], number>('SELECT count(*) FROM bulk_jobs WHERE user_id = ? AND finished_at IS NULL')
    .pluck();
  return {
    /** Returns the id of a new job; of the account's older ones that are over some are forgotten. */
    insert(userId: number, person: number, action: BulkAction, at: number): number {
      const id = Number(insert.run(userId, person, action, at).lastInsertRowid);
      forget.run({ user: userId, most: mostKept });
      return id;
    },
    setChange: (id: number, changeId: number, total: number): void => void setChange.run(changeId, total, id),
    setState: (id: number, state: BulkJobState): void => void setState.run(state, id),
    note: (id: number, { counts, codes, lastId }: Progress): void =>
      void note.run({ ...counts, codes: JSON.stringify(codes), last: lastId, id }),
    finish: (id: number, state: BulkJobState, problem: object | null, at: number): void =>
      void finish.run(state, problem && JSON.stringify(problem), at, id),
    find: (id: number, userId: number): BulkJobRow | undefined => byId.get(id, userId),
    ofChange: (changeId: number): BulkJobRow | undefined => byChange.get(changeId),
    /** Newest first; of one person where one is named. */
    newest: (userId: number, person: number | null, limit: number): BulkJobRow[] =>
      newest.all({ user: userId, person, limit }),
    /** All that are not over, of every account. */
    underWay: (): BulkJobRow[] => underWay.all(),
    countUnderWay: (userId: number): number => countUnderWay.get(userId) ?? 0,
  };
}

export type BulkJobQueries = ReturnType<typeof bulkJobQueries>;
