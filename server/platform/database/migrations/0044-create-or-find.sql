-- Finds an account's links by where they lead. Coarser than the rule of `content/links/destination.ts`, which decides.
CREATE INDEX links_by_destination ON links (user_id, replace(replace(lower(url), './', '/'), '.:', ':'))
WHERE trashed_at IS NULL;

-- Answers that are given again to a request that is sent again (decision 0078). Of the key and the body only hashes.
CREATE TABLE idempotent_replies (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key BLOB NOT NULL,
  body BLOB NOT NULL,
  status INTEGER NOT NULL,
  reply TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotent_replies_by_age ON idempotent_replies (at);
