-- Every record that is edited counts its edits, so that an edit can say which state it was made from (decision 0070). Counted
-- up by triggers of the connection that users write on, beside who edited it; visits and jobs leave it as it is.
ALTER TABLE links ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE campaigns ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE channels ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE pixels ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE overlays ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE splash_pages ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE qr_codes ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE bio_pages ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE files ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE domains ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE webhooks ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE link_cases ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE keys ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE passkeys ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE plans ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE users ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE members ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
-- What comes back from the trash goes on counting; NULL for what went there before.
ALTER TABLE removals ADD COLUMN version INTEGER;
