-- A fleet: what the origin tells its edges, and what it has from them. All of it is empty while there is none.

-- Records whose public columns changed and that the engine has not confirmed. The key is a JSON array; what the record holds is
-- read when it is published, so that nothing private is ever in here.
CREATE TABLE fleet_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  record TEXT NOT NULL,
  key TEXT NOT NULL
) STRICT;

-- One row for each start of the server: after a restore the engine knows of one that is not here, or of more of it.
CREATE TABLE fleet_branches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  -- The last change before it.
  position INTEGER NOT NULL
) STRICT;

CREATE TABLE fleet_edges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  region TEXT NOT NULL DEFAULT '',
  -- SHA-256 of the secret in the join token; NULL once it was used.
  token_hash TEXT,
  expires_at INTEGER NOT NULL,
  -- The installation that joined; NULL until then.
  installation TEXT,
  created_at INTEGER NOT NULL,
  joined_at INTEGER,
  revoked_at INTEGER
) STRICT;

-- How far the clicks of each click log of an edge were taken in, in the same transaction as the clicks.
CREATE TABLE fleet_sources (
  log TEXT PRIMARY KEY,
  edge_id INTEGER NOT NULL,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How far the stream of clicks was read.
CREATE TABLE fleet_intake (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  stream TEXT NOT NULL,
  sequence INTEGER NOT NULL
) STRICT;

-- On an edge: what its copy of the origin's public records is of.
CREATE TABLE fleet_replica (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  fleet TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  position INTEGER NOT NULL,
  -- The last message of the stream of changes that is in it.
  sequence INTEGER NOT NULL
) STRICT;
