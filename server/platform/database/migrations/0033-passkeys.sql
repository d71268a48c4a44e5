-- Passkeys: WebAuthn credentials that sign a person in without a password (decision 0065).
CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- As the authenticator names it, in base64url.
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE.
  public_key BLOB NOT NULL,
  -- What the authenticator counted up to; 0 where it does not count.
  counter INTEGER NOT NULL,
  -- The host name that it was made for. It works nowhere else.
  rp_id TEXT NOT NULL,
  -- What the authenticator knows the person by, in base64url; the same for all of a person's passkeys.
  user_handle TEXT NOT NULL,
  -- How it can be reached, a JSON list: `usb`, `nfc`, `internal` …
  transports TEXT NOT NULL,
  -- Whether a password manager keeps it on several devices.
  backed_up INTEGER NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at, id);
