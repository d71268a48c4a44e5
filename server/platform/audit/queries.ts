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
  /** What was done to records of an account; absent for security. */
  kind?: string;
  record?: number | undefined;
}

/** SQL of the audit log. */
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
  const setDetails = database.prepare<[string, number]>('UPDATE audit SET details = ? WHERE id = ?');
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
    /** Makes an entry one about several records. */
    setSeveral: (id: number, details: string): void => void setSeveral.run(details, id),
    /** Writes other details; false where the entry is gone. */
    setDetails: (id: number, details: string): boolean => setDetails.run(details, id).changes > 0,
    /** Takes as long as an insert and leaves nothing. */
    insertNothing: (row: NewAuditRow): void => insertNothing(row),
    /** Removes the oldest entries of before a moment, so many at most; returns how many. */
    removeBefore: (at: number, most: number): number => sweep.run(at, most).changes,
  };
}

export type AuditQueries = ReturnType<typeof auditQueries>;
