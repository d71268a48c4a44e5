-- On an edge: what visitors sent through forms, until the engine has it.
CREATE TABLE fleet_entries (
  -- Never used again: the origin remembers how far it took in.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What it was sent to: a kind and an id.
  target TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX fleet_entries_by_target ON fleet_entries (target, id);
