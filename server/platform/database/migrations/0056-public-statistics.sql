-- Public pages with the statistics of a link or a campaign (decision 0089). A page that is off keeps its address.
CREATE TABLE stats_pages (
  id            INTEGER PRIMARY KEY,
  user_id       INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  link_id       INTEGER UNIQUE REFERENCES links (id) ON DELETE CASCADE,
  campaign_id   INTEGER UNIQUE REFERENCES campaigns (id) ON DELETE CASCADE,
  token         TEXT    NOT NULL UNIQUE,
  enabled       INTEGER NOT NULL,
  password_hash TEXT,
  referrers     INTEGER NOT NULL,
  CHECK ((link_id IS NULL) <> (campaign_id IS NULL))
) STRICT;
CREATE INDEX stats_pages_by_user ON stats_pages (user_id, id);

-- Whoever gets a record from another account decides anew who may see its statistics.
CREATE TRIGGER stats_pages_after_link_move AFTER UPDATE OF user_id ON links WHEN new.user_id <> old.user_id
BEGIN
  DELETE FROM stats_pages WHERE link_id = new.id;
END;
CREATE TRIGGER stats_pages_after_campaign_move AFTER UPDATE OF user_id ON campaigns WHEN new.user_id <> old.user_id
BEGIN
  DELETE FROM stats_pages WHERE campaign_id = new.id;
END;
