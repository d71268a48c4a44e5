-- Teams. A team is an account like a person's, in the same table and the same sequence of ids, so that everything that
-- belongs to an account (links, plan, counts, removal in slices) belongs to a team without another word.
ALTER TABLE users ADD COLUMN kind TEXT NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'team'));
-- A deleted team: it can be restored for 30 days. Nothing of it answers, and its aliases stay its own.
ALTER TABLE users ADD COLUMN trashed_at INTEGER;
CREATE INDEX users_trashed ON users (id) WHERE trashed_at IS NOT NULL;

CREATE TABLE members (
  team_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  person_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'contributor', 'editor', 'admin', 'owner')),
  own_only INTEGER NOT NULL DEFAULT 0 CHECK (own_only IN (0, 1)),
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, person_id),
  CHECK (own_only = 0 OR role IN ('viewer', 'contributor'))
) STRICT, WITHOUT ROWID;
CREATE INDEX members_by_person ON members (person_id, team_id DESC);
CREATE INDEX members_in_order ON members (team_id, joined_at DESC, person_id DESC);
-- A team has exactly one owner.
CREATE UNIQUE INDEX members_one_owner ON members (team_id) WHERE role = 'owner';

CREATE TABLE team_invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  hash BLOB NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'contributor', 'editor', 'admin')),
  own_only INTEGER NOT NULL DEFAULT 0 CHECK (own_only IN (0, 1)),
  -- NULL lets anybody use it who has the code.
  email TEXT,
  email_folded TEXT,
  uses INTEGER NOT NULL,
  used INTEGER NOT NULL DEFAULT 0 CHECK (used <= uses),
  created_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX team_invitations_by_team ON team_invitations (team_id, id DESC);
CREATE INDEX team_invitations_by_creator ON team_invitations (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX team_invitations_by_end ON team_invitations (expires_at);

-- A key belongs to a person and acts in one account; NULL is the person's own.
ALTER TABLE keys ADD COLUMN account_id INTEGER REFERENCES users (id) ON DELETE CASCADE;
CREATE INDEX keys_by_account ON keys (account_id, user_id) WHERE account_id IS NOT NULL;

-- Who created a record and who changed it last. NULL in created_by is the person of the personal account, so that nothing is
-- written for whoever works alone. No foreign keys: ids are never used again, and a person who is gone is looked for in vain.
ALTER TABLE links ADD COLUMN created_by INTEGER;
ALTER TABLE links ADD COLUMN updated_by INTEGER;
ALTER TABLE campaigns ADD COLUMN created_by INTEGER;
ALTER TABLE campaigns ADD COLUMN updated_by INTEGER;
ALTER TABLE channels ADD COLUMN created_by INTEGER;
ALTER TABLE channels ADD COLUMN updated_by INTEGER;
ALTER TABLE pixels ADD COLUMN created_by INTEGER;
ALTER TABLE pixels ADD COLUMN updated_by INTEGER;
ALTER TABLE overlays ADD COLUMN created_by INTEGER;
ALTER TABLE overlays ADD COLUMN updated_by INTEGER;
ALTER TABLE splash_pages ADD COLUMN created_by INTEGER;
ALTER TABLE splash_pages ADD COLUMN updated_by INTEGER;
ALTER TABLE qr_codes ADD COLUMN created_by INTEGER;
ALTER TABLE qr_codes ADD COLUMN updated_by INTEGER;
ALTER TABLE bio_pages ADD COLUMN created_by INTEGER;
ALTER TABLE bio_pages ADD COLUMN updated_by INTEGER;
ALTER TABLE files ADD COLUMN created_by INTEGER;
ALTER TABLE files ADD COLUMN updated_by INTEGER;
ALTER TABLE domains ADD COLUMN created_by INTEGER;
ALTER TABLE domains ADD COLUMN updated_by INTEGER;
ALTER TABLE webhooks ADD COLUMN created_by INTEGER;
ALTER TABLE webhooks ADD COLUMN updated_by INTEGER;
ALTER TABLE removals ADD COLUMN created_by INTEGER;
ALTER TABLE removals ADD COLUMN updated_by INTEGER;
CREATE INDEX links_by_creator ON links (user_id, created_by, trashed_at IS NULL, created_at DESC, id DESC)
  WHERE created_by IS NOT NULL;
-- Who began a change, and may therefore undo it as a contributor.
ALTER TABLE changes ADD COLUMN created_by INTEGER;

-- It was told of every write of a channel, also of one that notes who changed it.
DROP TRIGGER channels_updated;
CREATE TRIGGER channels_updated AFTER UPDATE OF name, description, color, starred ON channels
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id, 'channel.updated',
    json_object('id', NEW.id, 'name', NEW.name));
END;
