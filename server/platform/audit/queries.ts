import type { Connection } from '../database/connect.ts';

export interface AuditRow {
  id: number;
  at: number;
  action: string;
  user_id: number | null;
  username: string | null;
  actor_id: number | null;
  actor: string;
  key_id: number | null;
  key_name: string;
  address: string;
  details: string;
  kind: string | null;
  record: number | null;
}

export interface NewAuditRow {
  at: number;
  action: string;
  userId: number | null;
  actorId: number | null;
  actor: string;
  keyId: number | null;
  keyName: string;
  address: string;
  details: string;
  /** Changes to an account's records; absent for security. */
  kind?: string;
  record?: number | undefined;
}

/** The account, person and action whose entries are counted. */
type Counted = Pick<NewAuditRow, 'action' | 'userId' | 'actorId'>;

type Probe = Counted & { since: number; most: number };

const actsSince = 'user_id IS @userId AND actor_id = @actorId AND action = @action AND id > @since';

/** The SQL of the audit log. */
export function auditQueries(database: Connection) {
  const put = database.prepare<
    [Omit<NewAuditRow, 'kind' | 'record'> & { kind: string | null; record: number | null }]
  >(
    `INSERT INTO audit (at, action, user_id, actor_id, actor, key_id, key_name, address, details, kind, record)
     VALUES (@at, @action, @userId, @actorId, @actor, @keyId, @keyName, @address, @details, @kind, @record)`,
  );
  const insert = (row: NewAuditRow) =>
    Number(put.run({ ...row, kind: row.kind ?? null, record: row.record ?? null }).lastInsertRowid);
  const setSeveral = database.prepare<[string, number]>(
    'UPDATE audit SET details = ?, record = NULL WHERE id = ?',
  );
  const countOneMore = database.prepare<[{ id: number } & Counted]>(
    `UPDATE audit SET details = json_object('times', (details ->> '$.times') + 1)
     WHERE id = @id AND action = @action AND actor_id = @actorId AND user_id IS @userId AND details ->> '$.times' IS NOT NULL`,
  );
  const since = database
    .prepare<[number], number>('SELECT id FROM audit WHERE at < ? ORDER BY at DESC, id DESC LIMIT 1')
    .pluck();
  const own = database
    .prepare<[Probe], number>(
      `SELECT count(*) FROM (SELECT 1 FROM audit INDEXED BY audit_user_actions WHERE ${actsSince} LIMIT @most)`,
    )
    .pluck();
  const inOther = database
    .prepare<[Probe], number>(
      `SELECT count(*) FROM (SELECT 1 FROM audit INDEXED BY audit_member_actions
         WHERE ${actsSince} AND actor_id IS NOT user_id LIMIT @most)`,
    )
    .pluck();
  const sweep = database.prepare<[number, number]>(
    'DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ? ORDER BY at LIMIT ?)',
  );
  const remove = database.prepare<[number]>('DELETE FROM audit WHERE id = ?');
  const insertNothing = database.transaction((row: NewAuditRow) => {
    remove.run(insert(row));
  });
  return {
    /** Returns the id of the entry. */
    insert,
    /** Makes an existing entry cover several records. */
    setSeveral: (id: number, details: string): void => void setSeveral.run(details, id),
    /**
     * Increments an entry that counts what one person did in one account; false if the entry is gone. Its id may have
     * been reused by another entry by then, which is left unchanged.
     */
    countOneMore: (id: number, { action, userId, actorId }: Counted): boolean =>
      countOneMore.run({ id, action, userId, actorId }).changes > 0,
    /** How often someone did something in an account since a timestamp, counted up to `most`. */
    countSince({ action, userId, actorId }: Counted, at: number, most: number): number {
      const values = { action, userId, actorId, since: since.get(at) ?? 0, most };
      return (userId === actorId ? own : inOther).get(values) ?? 0;
    },
    /** Takes as long as an insert but stores nothing. */
    insertNothing: (row: NewAuditRow): void => insertNothing(row),
    /** Deletes the oldest entries before a timestamp, up to a number; returns how many. */
    removeBefore: (at: number, most: number): number => sweep.run(at, most).changes,
  };
}

export type AuditQueries = ReturnType<typeof auditQueries>;
