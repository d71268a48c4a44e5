import type { Role } from '../../contract/roles.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Page } from '../../platform/http/pagination.ts';

export interface TeamInvitationRow {
  id: number;
  team_id: number;
  role: Role;
  own_only: 0 | 1;
  email: string | null;
  uses: number;
  used: number;
  created_by: number | null;
  expires_at: number;
}

export interface NewTeamInvitation {
  teamId: number;
  hash: Buffer;
  role: Role;
  ownOnly: 0 | 1;
  email: string | null;
  emailFolded: string | null;
  uses: number;
  createdBy: number;
  createdAt: number;
  expiresAt: number;
}

const columns = 'id, team_id, role, own_only, email, uses, used, created_by, expires_at';

/** SQL of invitations into teams. */
export function teamInvitationQueries(database: Connection) {
  const insert = database.prepare<[NewTeamInvitation]>(
    `INSERT INTO team_invitations (team_id, hash, role, own_only, email, email_folded, uses, created_by, created_at,
       expires_at)
     VALUES (@teamId, @hash, @role, @ownOnly, @email, @emailFolded, @uses, @createdBy, @createdAt, @expiresAt)`,
  );
  const byHash = database.prepare<[Buffer], TeamInvitationRow>(
    `SELECT ${columns} FROM team_invitations WHERE hash = ?`,
  );
  const use = database.prepare<[number]>(
    'UPDATE team_invitations SET used = used + 1 WHERE id = ? AND used < uses',
  );
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM team_invitations WHERE team_id = ?')
    .pluck();
  const list = database.prepare<[number, number, number], TeamInvitationRow>(
    `SELECT ${columns} FROM team_invitations WHERE team_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const remove = database.prepare<[number, number]>(
    'DELETE FROM team_invitations WHERE id = ? AND team_id = ?',
  );
  const removeOf = database.prepare<[number, number]>(
    'DELETE FROM team_invitations WHERE created_by = ? AND team_id = ?',
  );
  const bar = database.prepare<[number, number]>(
    'INSERT OR IGNORE INTO invitation_bars (invitation_id, person_id) SELECT id, ? FROM team_invitations WHERE team_id = ?',
  );
  const isBarred = database
    .prepare<[number, number], number>(
      'SELECT 1 FROM invitation_bars WHERE invitation_id = ? AND person_id = ?',
    )
    .pluck();
  const removeOld = database.prepare<[number, number]>(
    'DELETE FROM team_invitations WHERE id IN (SELECT id FROM team_invitations WHERE expires_at <= ? LIMIT ?)',
  );
  return {
    insert: (invitation: NewTeamInvitation): number => Number(insert.run(invitation).lastInsertRowid),
    findByHash: (hash: Buffer): TeamInvitationRow | undefined => byHash.get(hash),
    /** Takes one use; false when none is left. */
    use: (id: number): boolean => use.run(id).changes > 0,
    count: (team: number): number => count.get(team) ?? 0,
    list: (team: number, { limit, offset }: { limit: number; offset: number }): Page<TeamInvitationRow> => ({
      rows: list.all(team, limit, offset),
      total: count.get(team) ?? 0,
    }),
    remove: (id: number, team: number): boolean => remove.run(id, team).changes > 0,
    /** Deletes those that a person created; returns how many. */
    removeOf: (person: number, team: number): number => removeOf.run(person, team).changes,
    /** Bars a person from all current invitations of a team. */
    bar: (person: number, team: number): void => void bar.run(person, team),
    isBarred: (id: number, person: number): boolean => isBarred.get(id, person) !== undefined,
    /** Deletes some that expired before a timestamp; returns how many. */
    removeOld: (until: number, limit: number): number => removeOld.run(until, limit).changes,
  };
}

export type TeamInvitationQueries = ReturnType<typeof teamInvitationQueries>;
