import type { Connection } from '../../platform/database/connect.ts';

export interface InvitationRow {
  id: number;
  email: string | null;
  plan_id: number | null;
  created_by: number | null;
  created_at: number;
  expires_at: number;
}

interface NewInvitation {
  hash: Buffer;
  email: string | null;
  emailFolded: string | null;
  planId: number | null;
  createdBy: number;
  createdAt: number;
  expiresAt: number;
}

const columns = 'id, email, plan_id, created_by, created_at, expires_at';

/** Who is no administrator any more lets nobody in. */
const isOpen = `used_at IS NULL AND expires_at > ? AND
  EXISTS (SELECT 1 FROM users WHERE users.id = created_by AND users.admin = 1 AND users.active = 1)`;

/** SQL of registration links. */
export function invitationQueries(database: Connection) {
  const insert = database.prepare<[NewInvitation]>(
    `INSERT INTO invitations (hash, email, email_folded, plan_id, created_by, created_at, expires_at)
     VALUES (@hash, @email, @emailFolded, @planId, @createdBy, @createdAt, @expiresAt)`,
  );
  const open = database.prepare<[Buffer, number], InvitationRow>(
    `SELECT ${columns} FROM invitations WHERE hash = ? AND ${isOpen}`,
  );
  const use = database.prepare<[number, number, number]>(
    'UPDATE invitations SET used_at = ?, used_by = ? WHERE id = ? AND used_at IS NULL',
  );
  const list = database.prepare<[number], InvitationRow>(
    `SELECT ${columns} FROM invitations WHERE ${isOpen} ORDER BY created_at DESC, id DESC`,
  );
  const countOpen = database
    .prepare<[number, number], number>(
      'SELECT count(*) FROM invitations WHERE created_by = ? AND used_at IS NULL AND expires_at > ?',
    )
    .pluck();
  const remove = database.prepare<[number]>('DELETE FROM invitations WHERE id = ? AND used_at IS NULL');
  const removeOld = database.prepare<[number, number]>(
    'DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE expires_at <= ? LIMIT ?)',
  );
  return {
    insert: (invitation: NewInvitation): number => Number(insert.run(invitation).lastInsertRowid),
    findOpen: (hash: Buffer, now: number): InvitationRow | undefined => open.get(hash, now),
    use: (id: number, userId: number, at: number): boolean => use.run(at, userId, id).changes > 0,
    listOpen: (now: number): InvitationRow[] => list.all(now),
    countOpen: (userId: number, now: number): number => countOpen.get(userId, now) ?? 0,
    remove: (id: number): boolean => remove.run(id).changes > 0,
    /** Deletes some that expired before a timestamp, used or not; returns how many. */
    removeOld: (until: number, limit: number): number => removeOld.run(until, limit).changes,
  };
}

export type InvitationQueries = ReturnType<typeof invitationQueries>;
