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
  /** Only these actions, as a JSON list, or all but these. */
  only: string | null;
  without: string | null;
  /** Only what was done to this record, of the kind that `only` names. */
  record: number | null;
}

const isAction = `(@action IS NULL OR action = @action) AND (@actorId IS NULL OR actor_id = @actorId)
  AND (@only IS NULL OR action IN (SELECT value FROM json_each(@only)))
  AND (@without IS NULL OR action NOT IN (SELECT value FROM json_each(@without)))
  AND (@record IS NULL OR json_extract(details, '$.record') = @record)`;
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

const peopleOf = (entries: string) => `
  SELECT id, iif(name = '', username, name) AS username FROM users
  WHERE id IN (${entries}) AND removed_at IS NULL ORDER BY username LIMIT 200`;
const peopleSql = {
  own: peopleOf('SELECT actor_id FROM audit WHERE user_id = @userId UNION SELECT @userId'),
  everybody: peopleOf('SELECT actor_id FROM audit'),
};

/** The list of the audit log, read in the reader's thread. */
export function auditLists(reader: Reader) {
  return {
    list: (filter: AuditFilter, page: { limit: number; offset: number }): Promise<Page<AuditRow>> =>
      reader.page(filter.userId === null ? listSql.everybody : listSql.own, { ...filter, ...page }),

    /** Who has done something that the account sees; null is everybody's. By name. */
    async people(userId: number | null): Promise<{ id: number; username: string }[]> {
      const sql = userId === null ? peopleSql.everybody : peopleSql.own;
      const [found = []] = await reader.read([{ sql, values: [{ userId }] }]);
      return found as unknown as { id: number; username: string }[];
    },
  };
}

export type AuditLists = ReturnType<typeof auditLists>;

/** SQL of the audit log. */
export function auditQueries(database: Connection) {
  const insert = database.prepare<[NewAuditRow]>(
    `INSERT INTO audit (at, action, user_id, actor_id, actor, key_id, key_name, address, details)
     VALUES (@at, @action, @userId, @actorId, @actor, @keyId, @keyName, @address, @details)`,
  );
  const setDetails = database.prepare<[string, number]>('UPDATE audit SET details = ? WHERE id = ?');
  const sweep = database.prepare<[number]>('DELETE FROM audit WHERE at < ?');
  const remove = database.prepare<[number | bigint]>('DELETE FROM audit WHERE id = ?');
  const insertNothing = database.transaction((row: NewAuditRow) => {
    remove.run(insert.run(row).lastInsertRowid);
  });
  return {
    /** Returns the id of the entry. */
    insert: (row: NewAuditRow): number => Number(insert.run(row).lastInsertRowid),
    setDetails: (id: number, details: string): void => void setDetails.run(details, id),
    /** Takes as long as an insert and leaves nothing. */
    insertNothing: (row: NewAuditRow): void => insertNothing(row),
    removeBefore: (at: number): number => sweep.run(at).changes,
  };
}

export type AuditQueries = ReturnType<typeof auditQueries>;
