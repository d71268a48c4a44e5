-- Uploaded files. The content lies in the data folder under a random name (storage); what a user called it is only
-- metadata. Each has a short address in the name space of links and bio pages.

CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- NULL is the instance's own address.
  domain_id INTEGER REFERENCES domains (id) ON DELETE SET NULL,
  alias TEXT NOT NULL,
  -- What lists show, and what a download is saved as.
  name TEXT NOT NULL,
  filename TEXT NOT NULL,
  -- NFC and case folded: what a search looks at.
  search TEXT NOT NULL,
  storage TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  password_hash TEXT,
  -- The first moment after the last day.
  expires_at INTEGER,
  max_downloads INTEGER CHECK (max_downloads >= 1),
  downloads INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX files_by_user ON files (user_id, created_at DESC, id DESC);
CREATE INDEX files_by_domain ON files (domain_id) WHERE domain_id IS NOT NULL;

-- However a file goes (by its owner, or with the account), its address is free again.
CREATE TRIGGER files_release_alias AFTER DELETE ON files BEGIN
  DELETE FROM aliases WHERE kind = 'file' AND target_id = old.id;
END;
