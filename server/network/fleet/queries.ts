import type { Connection } from '../../platform/database/connect.ts';
import type { Counted } from './subjects.ts';

export interface EdgeRow {
  id: number;
  name: string;
  region: string;
  token_hash: string | null;
  expires_at: number;
  installation: string | null;
  created_at: number;
  joined_at: number | null;
  revoked_at: number | null;
  /** The public key of its own NATS user. */
  user_key: string | null;
  /** When that user was revoked in NATS. */
  cut_off_at: number | null;
  /** A JSON list of where visitors reach it, as it last reported. */
  addresses: string;
}

const columns =
  'id, name, region, token_hash, expires_at, installation, created_at, joined_at, revoked_at, user_key, cut_off_at, addresses';

/** SQL of the edges of a fleet, and of the starts of its origin. */
export function fleetQueries(database: Connection) {
  const all = database.prepare<[], EdgeRow>(`SELECT ${columns} FROM fleet_edges ORDER BY id`);
  const one = database.prepare<[number], EdgeRow>(`SELECT ${columns} FROM fleet_edges WHERE id = ?`);
  const add = database.prepare<[string, string, string, number, number]>(
    'INSERT INTO fleet_edges (name, region, token_hash, expires_at, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const join = database.prepare<[string, string | null, number, number]>(
    'UPDATE fleet_edges SET installation = ?, user_key = ?, joined_at = ?, token_hash = NULL WHERE id = ? AND installation IS NULL',
  );
  const revoke = database.prepare<[number, number]>(
    'UPDATE fleet_edges SET revoked_at = ?, token_hash = NULL WHERE id = ? AND revoked_at IS NULL',
  );
  const cutOff = database.prepare<[number, number]>(
    'UPDATE fleet_edges SET cut_off_at = ? WHERE id = ? AND cut_off_at IS NULL',
  );
  const setAddresses = database.prepare<[{ id: number; addresses: string }]>(
    'UPDATE fleet_edges SET addresses = @addresses WHERE id = @id AND addresses <> @addresses',
  );
  const addresses = database
    .prepare<[], string>(
      `SELECT addresses FROM fleet_edges
       WHERE revoked_at IS NULL AND installation IS NOT NULL AND addresses <> '[]' ORDER BY id`,
    )
    .pluck();
  const branches = database.prepare<[], { name: string; position: number }>(
    'SELECT name, position FROM fleet_branches ORDER BY id',
  );
  const addBranch = database.prepare<[string, number]>(
    'INSERT INTO fleet_branches (name, position) VALUES (?, ?)',
  );
  const forgetBranches = database.prepare('DELETE FROM fleet_branches');
  const trimBranches = database.prepare(
    'DELETE FROM fleet_branches WHERE id <= (SELECT max(id) FROM fleet_branches) - 1000',
  );
  const position = database
    .prepare<[], number>("SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'fleet_changes'), 0)")
    .pluck();
  const waiting = database
    .prepare<[number], number>('SELECT count(*) FROM fleet_changes WHERE id > ?')
    .pluck();
  const clear = database.prepare('DELETE FROM fleet_changes');
  const lastLink = database
    .prepare<[], number>("SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'links'), 0)")
    .pluck();
  const noteChange = database.prepare<[string]>(
    "INSERT INTO fleet_changes (record, key) VALUES ('settings', json_array(?))",
  );
  const content = database.prepare<[string], { size: number }>('SELECT size FROM files WHERE storage = ?');
  return {
    edges: (): EdgeRow[] => all.all(),
    edge: (id: number): EdgeRow | undefined => one.get(id),
    addEdge: (
      edge: Pick<EdgeRow, 'name' | 'region' | 'expires_at' | 'created_at'> & { tokenHash: string },
    ): number =>
      Number(
        add.run(edge.name, edge.region, edge.tokenHash, edge.expires_at, edge.created_at).lastInsertRowid,
      ),
    /** Records the installation that joined; false if another one did before. */
    join: (
      id: number,
      { installation, user }: { installation: string; user: string | null },
      at: number,
    ): boolean => join.run(installation, user, at, id).changes === 1,
    revoke: (id: number, at: number): boolean => revoke.run(at, id).changes === 1,
    /** Edges that are revoked and have a user of their own at the engine. */
    revokedUsers: (): { id: number; user: string; isCutOff: boolean }[] =>
      all
        .all()
        .flatMap(({ id, user_key, revoked_at, cut_off_at }) =>
          user_key === null || revoked_at === null
            ? []
            : [{ id, user: user_key, isCutOff: cut_off_at !== null }],
        ),
    /** Records that an edge's user was revoked in NATS. */
    noteCutOff: (id: number, at: number) => void cutOff.run(at, id),
    /** Notes where visitors reach an edge. */
    noteAddresses: (id: number, found: readonly string[]) =>
      void setAddresses.run({ id, addresses: JSON.stringify(found) }),
    /** Where visitors reach the edges that may answer. */
    // Written here only.
    addresses: (): string[] => addresses.all().flatMap((list) => JSON.parse(list) as string[]),
    branches: () => branches.all(),
    /** Notes a start of the origin. */
    addBranch(name: string): void {
      addBranch.run(name, position.get() ?? 0);
      trimBranches.run();
    },
    /** Discards what was to be published, and all positions: the next connection starts a new epoch. */
    forget(): void {
      forgetBranches.run();
      clear.run();
    },
    /** Publishes settings to edges although nothing stored has changed. */
    noteSettings(names: readonly string[]): void {
      for (const name of names) noteChange.run(name);
    },
    /** A content that belongs to a file. */
    contentOf: (storage: string): { size: number } | undefined => content.get(storage),
    /** The highest id that a link has or had. */
    lastLink: (): number => lastLink.get() ?? 0,
    /** The highest position that a change has or had. */
    position: (): number => position.get() ?? 0,
    /** Changes after a position that are still written down. */
    countAfter: (after: number): number => waiting.get(after) ?? 0,
  };
}

export type FleetQueries = ReturnType<typeof fleetQueries>;

/** Writes on the connection for clicks. */
export function fleetLogQueries(clicks: Connection) {
  const confirm = clicks.prepare<[number]>(
    'DELETE FROM fleet_changes WHERE id IN (SELECT id FROM fleet_changes WHERE id <= ? ORDER BY id LIMIT 500)',
  );
  const trim = clicks.prepare<[number]>(
    `DELETE FROM fleet_changes WHERE id IN
       (SELECT id FROM fleet_changes WHERE id <= (SELECT max(id) FROM fleet_changes) - ? ORDER BY id LIMIT 500)`,
  );
  const sequence = clicks
    .prepare<[string], number>('SELECT sequence FROM fleet_intake WHERE id = 1 AND stream = ?')
    .pluck();
  const setSequence = clicks.prepare<[string, number]>(
    `INSERT INTO fleet_intake (id, stream, sequence) VALUES (1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET stream = excluded.stream, sequence = excluded.sequence`,
  );
  const source = clicks.prepare<[string], number>('SELECT position FROM fleet_sources WHERE log = ?').pluck();
  const setSource = clicks.prepare<[string, number, number]>(
    `INSERT INTO fleet_sources (log, edge_id, position) VALUES (?, ?, ?)
     ON CONFLICT (log) DO UPDATE SET position = excluded.position`,
  );
  const beginEpoch = clicks.prepare<[number, number]>(
    `INSERT INTO fleet_epochs (epoch, last_link) VALUES (?, ?)
     ON CONFLICT (epoch) DO UPDATE SET last_link = min(last_link, excluded.last_link)`,
  );
  const lastEpoch = clicks.prepare<[], number | null>('SELECT max(epoch) FROM fleet_epochs').pluck();
  const lastLinkOf = clicks
    .prepare<[number], number | null>('SELECT min(last_link) FROM fleet_epochs WHERE epoch > ?')
    .pluck();
  const usedOf = {
    link: clicks
      .prepare<[number, number], number>('SELECT limited_clicks FROM links WHERE id = ? AND created_at = ?')
      .pluck(),
    file: clicks
      .prepare<[number, number], number>(
        'SELECT limited_downloads FROM files WHERE id = ? AND created_at = ?',
      )
      .pluck(),
  };
  type Raised = Omit<Counted, 'kind'> & { to: number };
  const raiseUsed = {
    link: clicks.prepare<[Raised]>(
      `UPDATE links SET limited_clicks = @to
       WHERE id = @id AND created_at = @createdAt AND limited_clicks < @to`,
    ),
    file: clicks.prepare<[Raised]>(
      `UPDATE files SET downloads = downloads + @to - limited_downloads, limited_downloads = @to
       WHERE id = @id AND created_at = @createdAt AND limited_downloads < @to`,
    ),
  };
  const salt = clicks.prepare<[number], Buffer>('SELECT salt FROM visitor_salt WHERE day = ?').pluck();
  const setSalt = clicks.prepare<[number, Buffer]>(
    'INSERT INTO visitor_salt (day, salt) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    /** Removes some of the changes up to a position; true while there are more. */
    confirm: (position: number): boolean => confirm.run(position).changes === 500,
    /** Removes some of what waits beyond the newest `keep` changes; true while there are more. */
    trim: (keep: number): boolean => trim.run(keep).changes === 500,
    /** How far a stream of clicks was taken in. */
    sequence: (stream: string): number => sequence.get(stream) ?? 0,
    setSequence: (stream: string, to: number) => void setSequence.run(stream, to),
    source: (log: string): number => source.get(log) ?? 0,
    setSource: (log: string, edge: number, position: number) => void setSource.run(log, edge, position),
    /** Notes that links above an id are others than those of epochs before. */
    beginEpoch: (epoch: number, link: number) => void beginEpoch.run(epoch, link),
    /** The newest known epoch; 0 if there was none. */
    lastEpoch: (): number => lastEpoch.get() ?? 0,
    /** The highest id of a link of an epoch that is the same link by now. */
    lastLinkOf: (epoch: number): number => lastLinkOf.get(epoch) ?? Number.MAX_SAFE_INTEGER,
    /** How much of a limited link or file is used up; undefined where there is no such one. */
    usedOf: ({ kind, id, createdAt }: Counted): number | undefined => usedOf[kind].get(id, createdAt),
    raiseUsed: ({ kind, id, createdAt }: Counted, to: number) =>
      void raiseUsed[kind].run({ id, createdAt, to }),
    salt: (day: number): Buffer | undefined => salt.get(day),
    setSalt: (day: number, value: Buffer) => void setSalt.run(day, value),
  };
}

export type FleetLogQueries = ReturnType<typeof fleetLogQueries>;
