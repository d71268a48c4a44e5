import type { MovedResource } from '../../contract/moving.ts';
import type { Connection } from '../../platform/database/connect.ts';

/** A record as a move sees it; columns that its type does not have are null. */
export interface MovingRow {
  id: number;
  user_id: number;
  /** Who created it: a personal account's person where no one is named. */
  creator: number;
  domain_id: number | null;
  name: string | null;
  /** Bytes of a file. */
  size: number | null;
  trashed: 0 | 1;
}

/** A move as it was written down. */
export interface MoveRow {
  change_id: number;
  from_id: number;
  to_id: number;
  person_id: number;
  finished: 0 | 1;
}

export interface MovedRecord {
  id: number;
  resource: MovedResource;
  record_id: number;
  moved: 0 | 1;
  before: string;
}

export const movedTables: Readonly<Record<MovedResource, string>> = {
  links: 'links',
  campaigns: 'campaigns',
  channels: 'channels',
  pixels: 'pixels',
  qr: 'qr_codes',
  bio: 'bio_pages',
  overlays: 'overlays',
  splash: 'splash_pages',
  files: 'files',
};

const withDomain: readonly MovedResource[] = ['links', 'campaigns', 'qr', 'bio', 'files'];

/** The columns that a copy takes over, and that decide whether a record of the same name is equivalent. */
const copied: Partial<Record<MovedResource, { columns: string; same: string }>> = {
  campaigns: { columns: 'name, name_folded', same: 'name_folded = mine.name_folded' },
  channels: {
    columns: 'name, name_folded, description, color, starred',
    same: 'name_folded = mine.name_folded',
  },
  pixels: { columns: 'type, name, tag', same: 'type = mine.type AND name = mine.name' },
  overlays: {
    columns: 'name, type, position, colors, content',
    same: 'type = mine.type AND name = mine.name',
  },
  splash: { columns: 'name, title, message, product, avatar, banner, counter', same: 'name = mine.name' },
};

// Records on their way to the trash cannot be moved.
function staysSql(resource: MovedResource): string {
  return resource === 'links' || resource === 'files' ? '' : 'AND leaving = 0';
}

function rowSql(resource: MovedResource): string {
  const name = resource === 'links' ? 'alias' : 'name';
  return `SELECT id, user_id, ifnull(created_by, user_id) AS creator, ${name} AS name,
    ${withDomain.includes(resource) ? 'domain_id' : 'NULL'} AS domain_id, ${resource === 'files' ? 'size' : 'NULL'} AS size,
    ${resource === 'links' ? 'trashed_at IS NOT NULL' : '0'} AS trashed
    FROM ${movedTables[resource]} WHERE id = ? AND user_id = ? ${staysSql(resource)}`;
}

/** SQL of moves: for each type, how a record is found and moved to another account, and what was recorded about it. */
export function movingQueries(database: Connection) {
  const kinds = new Map(
    (Object.keys(movedTables) as MovedResource[]).map((resource) => {
      const table = movedTables[resource];
      const copy = copied[resource];
      return [
        resource,
        {
          find: database.prepare<[number, number], MovingRow>(rowSql(resource)),
          count: database
            .prepare<[number], number>(
              resource === 'links'
                ? 'SELECT live FROM link_counts WHERE user_id = ?'
                : `SELECT count(*) FROM ${table} WHERE user_id = ?`,
            )
            .pluck(),
          // Who created it stays who created it; NULL is the person of a personal account.
          give: database.prepare<{ id: number; to: number; creator: number }>(
            `UPDATE ${table} SET user_id = @to, created_by = iif(@creator = @to, NULL, @creator) WHERE id = @id`,
          ),
          same:
            copy &&
            database
              .prepare<[number, number], number>(
                `SELECT theirs.id FROM ${table} AS mine JOIN ${table} AS theirs ON theirs.user_id = ?
                   AND ${copy.same.replace(/(\w+) = /g, 'theirs.$1 = ')}
                 WHERE mine.id = ? ORDER BY theirs.id LIMIT 1`,
              )
              .pluck(),
          copy:
            copy &&
            database.prepare<{ id: number; to: number; at: number }>(
              `INSERT INTO ${table} (user_id, created_at, ${copy.columns})
               SELECT @to, @at, ${copy.columns} FROM ${table} WHERE id = @id`,
            ),
        },
      ] as const;
    }),
  );
  const kind = (resource: MovedResource) => {
    const found = kinds.get(resource);
    if (!found) throw new Error(`${resource} cannot be moved`);
    return found;
  };

  const insertMove = database.prepare<Omit<MoveRow, 'finished'>>(
    `INSERT INTO moves (change_id, from_id, to_id, person_id) VALUES (@change_id, @from_id, @to_id, @person_id)`,
  );
  const findMove = database.prepare<[number], MoveRow>('SELECT * FROM moves WHERE change_id = ?');
  const unfinished = database.prepare<[number], MoveRow>(
    'SELECT * FROM moves WHERE finished = 0 AND change_id > ? ORDER BY change_id LIMIT 1',
  );
  const finish = database.prepare<[number]>('UPDATE moves SET finished = 1 WHERE change_id = ?');
  const note = database.prepare<[number, string, number, 0 | 1, string]>(
    'INSERT INTO moved_records (change_id, resource, record_id, moved, before) VALUES (?, ?, ?, ?, ?)',
  );
  const records = database.prepare<[number, number, number], MovedRecord>(
    'SELECT id, resource, record_id, moved, before FROM moved_records WHERE change_id = ? AND id > ? ORDER BY id LIMIT ?',
  );
  const hasMoved = database
    .prepare<[number], number>(
      'SELECT EXISTS (SELECT 1 FROM moved_records WHERE change_id = ? AND moved = 1)',
    )
    .pluck();
  const idsOf = new Map(
    (Object.keys(movedTables) as MovedResource[]).map((resource) => [
      resource,
      database
        .prepare<[number, number, number], number>(
          `SELECT id FROM ${movedTables[resource]} WHERE user_id = ? AND id > ? ${staysSql(resource)} ORDER BY id LIMIT ?`,
        )
        .pluck(),
    ]),
  );
  const giveDomain = database.prepare<[number, number]>(
    'UPDATE domains SET user_id = ? WHERE id = (SELECT id FROM domains WHERE user_id = ? LIMIT 1)',
  );
  const isMoved = database
    .prepare<[number, string, number], number>(
      'SELECT 1 FROM moved_records WHERE change_id = ? AND resource = ? AND record_id = ? AND moved = 1',
    )
    .pluck();
  const freeName = database
    .prepare<[number, string], number>('SELECT 1 FROM campaigns WHERE user_id = ? AND name_folded = ?')
    .pluck();
  const freeChannel = database
    .prepare<[number, string], number>('SELECT 1 FROM channels WHERE user_id = ? AND name_folded = ?')
    .pluck();
  const renameCampaign = database.prepare<[string, string, number]>(
    'UPDATE campaigns SET name = ?, name_folded = ? WHERE id = ?',
  );
  const renameChannel = database.prepare<[string, string, number]>(
    'UPDATE channels SET name = ?, name_folded = ? WHERE id = ?',
  );

  return {
    find: (resource: MovedResource, id: number, account: number): MovingRow | undefined =>
      kind(resource).find.get(id, account),
    count: (resource: MovedResource, account: number): number => kind(resource).count.get(account) ?? 0,
    /** Moves a record to another account; its triggers count it there, and notify webhooks. */
    give: (resource: MovedResource, id: number, to: number, creator: number): void =>
      void kind(resource).give.run({ id, to, creator }),
    /** What the other account has of the same name. */
    findSame: (resource: MovedResource, id: number, to: number): number | undefined =>
      kind(resource).same?.get(to, id),
    /** Copies a record without what was counted for it. */
    copy(resource: MovedResource, id: number, to: number, at: number): number {
      const statement = kind(resource).copy;
      if (!statement) throw new Error(`${resource} cannot be copied`);
      return Number(statement.run({ id, to, at }).lastInsertRowid);
    },
    /** Whether a name of a campaign or a channel is taken in an account. */
    isNameTaken: (resource: 'campaigns' | 'channels', account: number, folded: string): boolean =>
      (resource === 'campaigns' ? freeName : freeChannel).get(account, folded) !== undefined,
    rename: (resource: 'campaigns' | 'channels', id: number, name: string, folded: string): void =>
      void (resource === 'campaigns' ? renameCampaign : renameChannel).run(name, folded, id),

    insertMove: (move: Omit<MoveRow, 'finished'>): void => void insertMove.run(move),
    findMove: (changeId: number): MoveRow | undefined => findMove.get(changeId),
    /** The first move after this change whose leftovers are not seen to. */
    nextUnfinished: (after: number): MoveRow | undefined => unfinished.get(after),
    finish: (changeId: number): void => void finish.run(changeId),
    /** Writes down that a record has moved, or that one which stays loses what it referred to. */
    note: (changeId: number, resource: MovedResource, id: number, moved: boolean, before: object): void =>
      void note.run(changeId, resource, id, moved ? 1 : 0, JSON.stringify(before)),
    records: (changeId: number, after: number, limit: number): MovedRecord[] =>
      records.all(changeId, after, limit),
    /** Ids of some records of an account, after one of them. */
    idsOf: (resource: MovedResource, account: number, after: number, limit: number): number[] =>
      idsOf.get(resource)?.all(account, after, limit) ?? [],
    /** Moves one of its domains to another account; false if it has none. */
    giveDomain: (from: number, to: number): boolean => giveDomain.run(to, from).changes > 0,
    isMoved: (changeId: number, resource: MovedResource, id: number): boolean =>
      isMoved.get(changeId, resource, id) !== undefined,
    hasMoved: (changeId: number): boolean => hasMoved.get(changeId) === 1,
  };
}

export type MovingQueries = ReturnType<typeof movingQueries>;
