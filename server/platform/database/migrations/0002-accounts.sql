-- Secrets that must be readable again are sealed with a key outside of the database (keys/vault.ts).
ALTER TABLE users ADD COLUMN totp_secret TEXT;
-- The time step of the last code that was accepted: no step is accepted twice.
ALTER TABLE users ADD COLUMN totp_step INTEGER;
ALTER TABLE users ADD COLUMN mailer_key TEXT;

-- The picture behind users.avatar, re-encoded here (images/images.ts). In the database, so that it comes and goes
-- with the account and is part of every backup.
CREATE TABLE avatars (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg')),
  body BLOB NOT NULL
) STRICT;

-- Ways in for someone who lost the authenticator; each works once.
CREATE TABLE recovery_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  hash BLOB NOT NULL,
  used_at INTEGER,
  UNIQUE (user_id, hash)
) STRICT;

CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash BLOB NOT NULL UNIQUE,
  -- NULL lets anybody use it who has the code.
  email TEXT,
  email_folded TEXT,
  plan_id INTEGER REFERENCES plans (id) ON DELETE SET NULL,
  created_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  used_by INTEGER REFERENCES users (id) ON DELETE SET NULL
) STRICT;

-- Who did what, from where, with which key. Names stay readable when the account or key is gone.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  -- The account that the entry is about; it sees the entry as its own.
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- Who acted; NULL when nobody was signed in.
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  actor TEXT NOT NULL,
  key_id INTEGER,
  key_name TEXT NOT NULL,
  address TEXT NOT NULL,
  -- JSON object without secrets.
  details TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX audit_by_user ON audit (user_id, id);
CREATE INDEX audit_by_actor ON audit (actor_id, id);
CREATE INDEX audit_by_age ON audit (at);

CREATE INDEX users_by_plan ON users (plan_id);
