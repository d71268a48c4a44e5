-- The order that the owner gave to a campaign's links, and what was deleted and can still be brought back.

-- Place among the campaign's links; NULL comes after those that have one.
ALTER TABLE links ADD COLUMN campaign_position INTEGER;
-- A place belongs to the campaign that it was given in.
CREATE TRIGGER links_campaign_position AFTER UPDATE OF campaign_id ON links
WHEN old.campaign_id IS NOT new.campaign_id BEGIN
  UPDATE links SET campaign_position = NULL WHERE id = new.id;
END;

-- A campaign, channel or pixel as it was when it was deleted: its row and what belonged to it, as JSON.
CREATE TABLE removals (
  resource TEXT NOT NULL CHECK (resource IN ('campaigns', 'channels', 'pixels')),
  record_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  PRIMARY KEY (resource, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX removals_by_age ON removals (removed_at);
