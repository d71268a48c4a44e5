-- Bulk actions over many links, so that whoever began one can follow and cancel it, also after a restart. Ids are never
-- used again: a cancellation that comes late must not meet another action.
CREATE TABLE bulk_jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Who asked for it.
  person_id INTEGER NOT NULL,
  -- What takes it back; NULL before there is something to take back, and once that is forgotten.
  change_id INTEGER REFERENCES changes (id) ON DELETE SET NULL,
  action TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('preparing', 'running', 'cancelling', 'done', 'cancelled', 'failed')),
  -- How many links it is about, and what became of those whose turn came.
  total INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  not_found INTEGER NOT NULL DEFAULT 0,
  -- JSON: {code: how often}
  codes TEXT NOT NULL DEFAULT '{}',
  -- The last link whose outcome is in these numbers.
  last_id INTEGER,
  -- JSON: {code, message}, why it failed.
  problem TEXT,
  started_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX bulk_jobs_by_user ON bulk_jobs (user_id, id);
CREATE UNIQUE INDEX bulk_jobs_by_change ON bulk_jobs (change_id) WHERE change_id IS NOT NULL;
CREATE INDEX bulk_jobs_under_way ON bulk_jobs (id) WHERE finished_at IS NULL;
