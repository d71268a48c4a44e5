import type { Role } from '../../contract/roles.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { Page } from '../../platform/http/pagination.ts';

export interface TeamRow {
  id: number;
  name: string;
  role: Role;
  own_only: 0 | 1;
  members: number;
  registered_at: number;
  version: number;
}

/** A team in the trash. */
export interface TrashedTeamRow extends TeamRow {
  trashed_at: number;
}

/** A team as an administrator of the instance sees it. */
export interface OwnedTeamRow {
  id: number;
  name: string;
  members: number;
  registered_at: number;
  owner_id: number;
  owner: string;
  owner_username: string;
  /** Whether the administrator who asks is in it. */
  is_member: 0 | 1;
}

export interface MemberRow {
  id: number;
  name: string;
  username: string;
  role: Role;
  own_only: 0 | 1;
  joined_at: number;
  seen_at: number | null;
  version: number;
}

interface NewMember {
  team: number;
  person: number;
  role: Role;
  ownOnly: 0 | 1;
  at: number;
}

interface PageOf {
  limit: number;
  offset: number;
}

const teamSql = `SELECT users.id, users.name, role, own_only, registered_at, users.version, users.trashed_at,
    (SELECT count(*) FROM members AS others WHERE others.team_id = users.id) AS members
  FROM members JOIN users ON users.id = team_id`;
const isThere = 'users.trashed_at IS NULL AND users.removed_at IS NULL';
const isRestorable = `role = 'owner' AND users.trashed_at >= ? AND users.removed_at IS NULL`;
const memberSql = `SELECT users.id, iif(users.name = '', users.username, users.name) AS name, users.username, role, own_only,
    joined_at, members.version, (SELECT max(last_used_at) FROM keys WHERE user_id = users.id) AS seen_at
  FROM members JOIN users ON users.id = person_id`;

/** Every team of the instance, in the order of the index of owners. */
const everySql = {
  rows: `SELECT users.id, users.name, users.registered_at, person.id AS owner_id, person.username AS owner_username,
      iif(person.name = '', person.username, person.name) AS owner,
      (SELECT count(*) FROM members AS others WHERE others.team_id = users.id) AS members,
      EXISTS (SELECT 1 FROM members AS own WHERE own.team_id = users.id AND own.person_id = @asking) AS is_member
    FROM members AS owners CROSS JOIN users ON users.id = owners.team_id CROSS JOIN users AS person ON person.id = owners.person_id
    WHERE owners.role = 'owner' AND ${isThere} ORDER BY owners.team_id DESC LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM members AS owners CROSS JOIN users ON users.id = owners.team_id
    WHERE owners.role = 'owner' AND ${isThere}`,
};

/** Lists of teams, which grow with the instance, read in a worker thread. */
export function teamLists(reader: Reader) {
  return {
    /** All teams; `asking` is the administrator, to show their own memberships. */
    every: (asking: number, { limit, offset }: PageOf): Promise<Page<OwnedTeamRow>> =>
      reader.page(everySql, { asking, limit, offset }),
  };
}

export type TeamLists = ReturnType<typeof teamLists>;

/** SQL of teams and their members. */
export function teamQueries(database: Connection) {
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO users (kind, email, email_folded, username, username_folded, name, password_hash, plan_id, plan_expires_at,
       registered_at, timezone)
     VALUES ('team', '', @folded, '', @folded, @name, '', @planId, @planExpiresAt, @at, @timezone)`,
  );
  // Names of people contain no line break, so these belong to nobody, and no sign-in matches them.
  const settleNames = database.prepare<[number]>(
    'UPDATE users SET email_folded = char(10) || id, username_folded = char(10) || id WHERE id = ?',
  );
  const rename = database.prepare<[string, number]>('UPDATE users SET name = ? WHERE id = ?');
  const trash = database.prepare<[number | null, 0 | 1, number]>(
    'UPDATE users SET trashed_at = ?, active = ? WHERE id = ?',
  );
  const find = database.prepare<[number, number], TeamRow>(
    `${teamSql} WHERE person_id = ? AND team_id = ? AND ${isThere}`,
  );
  const findTrashed = database.prepare<[number, number, number], TeamRow>(
    `${teamSql} WHERE person_id = ? AND team_id = ? AND users.trashed_at >= ? AND users.removed_at IS NULL`,
  );
  const list = database.prepare<[number, number, number], TeamRow>(
    `${teamSql} WHERE person_id = ? AND ${isThere} ORDER BY team_id DESC LIMIT ? OFFSET ?`,
  );
  const count = database
    .prepare<[number], number>(
      `SELECT count(*) FROM members JOIN users ON users.id = team_id WHERE person_id = ? AND ${isThere}`,
    )
    .pluck();
  const owned = database.prepare<[number], { id: number; name: string }>(
    `SELECT users.id, users.name FROM members JOIN users ON users.id = team_id
     WHERE person_id = ? AND role = 'owner' AND ${isThere} ORDER BY users.id`,
  );
  const countOwned = database
    .prepare<[number], number>(
      `SELECT count(*) FROM members JOIN users ON users.id = team_id
       WHERE person_id = ? AND role = 'owner' AND users.removed_at IS NULL`,
    )
    .pluck();
  const ownedTrashed = database
    .prepare<[number], number>(
      `SELECT users.id FROM members JOIN users ON users.id = team_id
       WHERE person_id = ? AND role = 'owner' AND users.trashed_at IS NOT NULL AND users.removed_at IS NULL`,
    )
    .pluck();
  const overdue = database
    .prepare<[number], number>(
      'SELECT id FROM users WHERE trashed_at < ? AND removed_at IS NULL ORDER BY id LIMIT 1',
    )
    .pluck();
  const exists = database
    .prepare<[number], number>(
      `SELECT 1 FROM users WHERE id = ? AND kind = 'team' AND trashed_at IS NULL AND removed_at IS NULL`,
    )
    .pluck();
  const everyTeam = database.prepare<{ asking: number; limit: number; offset: number }, OwnedTeamRow>(
    everySql.rows,
  );
  const trashed = database.prepare<[number, number, number, number], TrashedTeamRow>(
    `${teamSql} WHERE person_id = ? AND ${isRestorable} ORDER BY users.trashed_at DESC, team_id DESC LIMIT ? OFFSET ?`,
  );
  const countTrashed = database
    .prepare<[number, number], number>(
      `SELECT count(*) FROM members JOIN users ON users.id = team_id WHERE person_id = ? AND ${isRestorable}`,
    )
    .pluck();
  const members = database.prepare<[number, number, number], MemberRow>(
    `${memberSql} WHERE team_id = ? ORDER BY joined_at DESC, person_id DESC LIMIT ? OFFSET ?`,
  );
  const member = database.prepare<[number, number], MemberRow>(
    `${memberSql} WHERE team_id = ? AND person_id = ?`,
  );
  const countMembers = database
    .prepare<[number], number>('SELECT count(*) FROM members WHERE team_id = ?')
    .pluck();
  const memberIds = database
    .prepare<[number], number>('SELECT person_id FROM members WHERE team_id = ?')
    .pluck();
  const ownerId = database
    .prepare<[number], number>(`SELECT person_id FROM members WHERE team_id = ? AND role = 'owner'`)
    .pluck();
  const addMember = database.prepare<[NewMember]>(
    `INSERT INTO members (team_id, person_id, role, own_only, joined_at)
     VALUES (@team, @person, @role, @ownOnly, @at)`,
  );
  const setRole = database.prepare<[Role, 0 | 1, number, number]>(
    'UPDATE members SET role = ?, own_only = ? WHERE team_id = ? AND person_id = ?',
  );
  const removeMember = database.prepare<[number, number]>(
    'DELETE FROM members WHERE team_id = ? AND person_id = ?',
  );
  const membership = database.prepare<[number, number], { role: Role; own_only: 0 | 1 }>(
    'SELECT role, own_only FROM members WHERE team_id = ? AND person_id = ?',
  );

  return {
    /** Creates a team without members. */
    insert(team: {
      name: string;
      planId: number;
      planExpiresAt: number | null;
      timezone: string;
      at: number;
    }): number {
      const id = Number(insert.run({ ...team, folded: '\n' }).lastInsertRowid);
      settleNames.run(id);
      return id;
    },
    rename: (id: number, name: string): void => void rename.run(name, id),
    trash: (id: number, at: number): void => void trash.run(at, 0, id),
    restore: (id: number): void => void trash.run(null, 1, id),
    /** A team as one of its members sees it; undefined for everyone else. */
    find: (id: number, person: number): TeamRow | undefined => find.get(person, id),
    /** The same for a team deleted after a timestamp. */
    findTrashed: (id: number, person: number, since: number): TeamRow | undefined =>
      findTrashed.get(person, id, since),
    list: (person: number, { limit, offset }: PageOf): Page<TeamRow> => ({
      rows: list.all(person, limit, offset),
      total: count.get(person) ?? 0,
    }),
    /** Teams that a person owns, including those in the trash. */
    countOwned: (person: number): number => countOwned.get(person) ?? 0,
    countOf: (person: number): number => count.get(person) ?? 0,
    /** Teams that a person owns, without the deleted ones. */
    ownedBy: (person: number): { id: number; name: string }[] => owned.all(person),
    /** Ids of deleted teams that a person owned. */
    trashedOf: (person: number): number[] => ownedTrashed.all(person),
    /** A team deleted before a timestamp. */
    findOverdue: (timestamp: number): number | undefined => overdue.get(timestamp),
    exists: (id: number): boolean => exists.get(id) !== undefined,
    /** All teams, for commands; the server uses `teamLists`. */
    all: (asking: number, { limit, offset }: PageOf): OwnedTeamRow[] =>
      everyTeam.all({ asking, limit, offset }),
    /** Teams of a person's that were deleted after a timestamp, most recently deleted first. */
    listTrashed: (person: number, since: number, { limit, offset }: PageOf): Page<TrashedTeamRow> => ({
      rows: trashed.all(person, since, limit, offset),
      total: countTrashed.get(person, since) ?? 0,
    }),

    members: (team: number, { limit, offset }: PageOf): Page<MemberRow> => ({
      rows: members.all(team, limit, offset),
      total: countMembers.get(team) ?? 0,
    }),
    findMember: (team: number, person: number): MemberRow | undefined => member.get(team, person),
    countMembers: (team: number): number => countMembers.get(team) ?? 0,
    memberIds: (team: number): number[] => memberIds.all(team),
    ownerOf: (team: number): number | undefined => ownerId.get(team),
    addMember: (row: NewMember): void => void addMember.run(row),
    setRole: (team: number, person: number, role: Role, ownOnly: boolean): void =>
      void setRole.run(role, ownOnly ? 1 : 0, team, person),
    removeMember: (team: number, person: number): void => void removeMember.run(team, person),
    /** A person's role in a team; read for every request, so that access ends with the row. */
    membership: (team: number, person: number) => membership.get(team, person),
  };
}

export type TeamQueries = ReturnType<typeof teamQueries>;
