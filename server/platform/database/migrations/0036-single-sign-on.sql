-- Who a person is at an OpenID Connect provider (decision 0067).
CREATE TABLE identities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  issuer TEXT NOT NULL,
  -- What the provider calls the person for ever; an address may change hands.
  subject TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX identities_by_user ON identities (user_id, created_at, id);
