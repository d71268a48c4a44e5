-- Messages that wait to be sent (decision 0072). What they say is sealed with the vault's key: some hold codes.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- In whose name it waits: `account 7`, `network 192.0.2.1`.
  party TEXT NOT NULL,
  -- Parties take turns: the first message of each comes before the second one of any.
  turn INTEGER NOT NULL,
  sealed TEXT NOT NULL,
  -- The same in every attempt, so that whoever gets it twice after a crash can tell.
  message_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX outbox_by_turn ON outbox (turn, id);
CREATE INDEX outbox_by_party ON outbox (party, turn);
CREATE INDEX outbox_by_age ON outbox (created_at);

-- One row a message of the last day, for the limits: by account, network and recipient (a hash of the address).
CREATE TABLE mail_counts (
  party TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_counts_by_party ON mail_counts (party, at);
CREATE INDEX mail_counts_by_age ON mail_counts (at);

-- Codes that were mailed to people who forgot their password. Each works once.
CREATE TABLE password_resets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  hash BLOB NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX password_resets_by_user ON password_resets (user_id, id);
-- A code is for the password and the address that the account had when it was sent.
CREATE TRIGGER password_resets_end AFTER UPDATE OF password_hash, email, active, removed_at ON users
WHEN old.password_hash IS NOT new.password_hash OR old.email IS NOT new.email OR new.active = 0
  OR new.removed_at IS NOT NULL
BEGIN
  DELETE FROM password_resets WHERE user_id = new.id;
END;

-- What people are told by mail of their account.
ALTER TABLE users ADD COLUMN signin_email INTEGER NOT NULL DEFAULT 1;
ALTER TABLE users ADD COLUMN domains_email INTEGER NOT NULL DEFAULT 1;
