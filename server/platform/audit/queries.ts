import type { Connection } from '../database/connect.ts';
import type { Reader } from '../database/reader.ts';
import type { Page } from '../http/pagination.ts';

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
  /** Only what this person did; null is everybody. */
  actorId: number | null;
  action: string | null;
}

const isAction = '(@action IS NULL OR action = @action) AND (@actorId IS NULL OR actor_id = @actorId)';
/** Ids of the entries about an account and of those of its own doing, each found by an index. */
const ownIds = `SELECT id FROM audit WHERE user_id = @userId AND ${isAction}
  UNION SELECT id FROM audit WHERE actor_id = @userId AND ${isAction}`;
const rowsOf = (ids: string) => `
  SELECT audit.*, iif(users.kind = 'team', users.name, users.username) AS username FROM (${ids} ORDER BY id DESC LIMIT @limit OFFSET @offset) AS picked
  CROSS JOIN audit ON audit.id = picked.id LEFT JOIN users ON users.id = audit.user_id`;
const listSql = {
  own: { rows: rowsOf(ownIds), total: `SELECT count(*) AS total FROM (${ownIds})` },
  everybody: {
    rows: rowsOf(`SELECT id FROM audit WHERE ${isAction}`),
    total: `SELECT count(*) AS total FROM audit WHERE ${isAction}`,
  },
};

/** The list of the audit log, read in the reader's thread. */
export function auditLists(reader: Reader) {
  return {
    list: (
      { userId, actorId, action }: AuditFilter,
      page: { limit: number; offset: number },
    ): Promise<Page<AuditRow>> =>
      reader.page(userId === null ? listSql.everybody : listSql.own, { userId, actorId, action, ...page }),
  };
}

export type AuditLists = ReturnType<typeof auditLists>;

/** SQL of the audit log. */
export function auditQueries(database: Connection) {
  const insert = database.prepare<[NewAuditRow]>(
    `INSERT INTO audit (at, action, user_id, actor_id, actor, key_id, key_name, address, details)
     VALUES (@at, @action, @userId, @actorId, @actor, @keyId, @keyName, @address, @details)`,
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
    removeBefore: (at: number): number => sweep.run(at).changes,
  };
}

export type AuditQueries = ReturnType<typeof auditQueries>;
