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
}

export interface AuditFilter {
  /** Whose entries: those about this account and those of its own doing; null is everybody's. */
  userId: number | null;
  action: string | null;
}

const where = `(:userId IS NULL OR audit.user_id = :userId OR audit.actor_id = :userId)
  AND (:action IS NULL OR action = :action)`;

/** SQL of the audit log. */
export function auditQueries(database: Connection) {
  const insert = database.prepare<[NewAuditRow]>(
    `INSERT INTO audit (at, action, user_id, actor_id, actor, key_id, key_name, address, details)
     VALUES (@at, @action, @userId, @actorId, @actor, @keyId, @keyName, @address, @details)`,
  );
  const list = database.prepare<[AuditFilter & { limit: number; offset: number }], AuditRow>(
    `SELECT audit.*, users.username FROM audit LEFT JOIN users ON users.id = audit.user_id
     WHERE ${where} ORDER BY audit.id DESC LIMIT :limit OFFSET :offset`,
  );
  const count = database.prepare<[AuditFilter], { total: number }>(
    `SELECT count(*) AS total FROM audit WHERE ${where}`,
  );
  const sweep = database.prepare<[number]>('DELETE FROM audit WHERE at < ?');
  const remove = database.prepare<[number | bigint]>('DELETE FROM audit WHERE id = ?');
  const insertNothing = database.transaction((row: NewAuditRow) => {
    remove.run(insert.run(row).lastInsertRowid);
  });
  return {
    insert: (row: NewAuditRow) => void insert.run(row),
    /** Takes as long as an insert and leaves nothing. */
    insertNothing: (row: NewAuditRow): void => insertNothing(row),
    list: (filter: AuditFilter, limit: number, offset: number): AuditRow[] =>
      list.all({ ...filter, limit, offset }),
    count: (filter: AuditFilter): number => count.get(filter)?.total ?? 0,
    removeBefore: (at: number): number => sweep.run(at).changes,
  };
}

export type AuditQueries = ReturnType<typeof auditQueries>;
