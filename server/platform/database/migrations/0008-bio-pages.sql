-- Bio pages: a list of blocks under one short address. theme, colors and blocks are read whole, never searched.

CREATE TABLE bio_pages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- NULL is the instance's own address.
  domain_id INTEGER REFERENCES domains (id) ON DELETE SET NULL,
  alias TEXT NOT NULL,
  name TEXT NOT NULL,
  title TEXT,
  description TEXT,
  avatar TEXT,
  theme TEXT NOT NULL,
  -- JSON: {background?, text?, button?, buttontext?}
  colors TEXT NOT NULL DEFAULT '{}',
  shape TEXT,
  font TEXT,
  -- JSON: [{id, type, enabled, …}]; ids are given by this page and never used twice.
  blocks TEXT NOT NULL DEFAULT '[]',
  next_block INTEGER NOT NULL DEFAULT 1,
  -- NFC and case folded name, title and alias: what a search looks at.
  search TEXT NOT NULL,
  views INTEGER NOT NULL DEFAULT 0,
  unique_views INTEGER NOT NULL DEFAULT 0,
  clicks INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX bio_pages_by_user ON bio_pages (user_id, id DESC);
CREATE INDEX bio_pages_by_domain ON bio_pages (domain_id) WHERE domain_id IS NOT NULL;

-- However a page goes (by its owner, or with the account), nothing goes on pointing at it.
CREATE INDEX domains_by_bio ON domains (bio_id) WHERE bio_id IS NOT NULL;
CREATE TRIGGER bio_pages_release AFTER DELETE ON bio_pages BEGIN
  DELETE FROM aliases WHERE kind = 'bio' AND target_id = old.id;
  DELETE FROM channel_items WHERE type = 'bio' AND item_id = old.id;
  UPDATE domains SET bio_id = NULL WHERE bio_id = old.id;
END;

-- Views (block 0) and clicks per block and hour (hours since 1970, UTC).
CREATE TABLE bio_counts (
  bio_id INTEGER NOT NULL REFERENCES bio_pages (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  block INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  PRIMARY KEY (bio_id, hour, block)
) STRICT, WITHOUT ROWID;

-- Clicks of each block, all time.
CREATE TABLE bio_block_clicks (
  bio_id INTEGER NOT NULL REFERENCES bio_pages (id) ON DELETE CASCADE,
  block INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  PRIMARY KEY (bio_id, block)
) STRICT, WITHOUT ROWID;

-- What visitors wrote into contact forms.
CREATE TABLE bio_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bio_id INTEGER NOT NULL REFERENCES bio_pages (id) ON DELETE CASCADE,
  block INTEGER NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  message TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX bio_messages_by_page ON bio_messages (bio_id, id DESC);
