-- The last moment that the wall clock was trusted to tell, and since when it has been telling one far beyond it: what
-- deletes by age waits meanwhile (server/platform/jobs/deletion-clock.ts). One row.
CREATE TABLE clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  trusted_at INTEGER NOT NULL,
  ahead_since INTEGER,
  ahead_seen INTEGER
) STRICT;
