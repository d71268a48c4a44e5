-- Moves of records from one account to another.

-- The change that `POST /api/move` made, so that it can be taken back in either account. Accounts are named without foreign
-- keys: ids are never used again, and the change goes with its account.
CREATE TABLE moves (
  change_id INTEGER PRIMARY KEY REFERENCES changes (id) ON DELETE CASCADE,
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  -- 0 while what stays behind may still refer to what has left.
  finished INTEGER NOT NULL DEFAULT 0 CHECK (finished IN (0, 1))
) STRICT;
CREATE INDEX moves_unfinished ON moves (change_id) WHERE finished = 0;

CREATE TABLE moved_records (
  id INTEGER PRIMARY KEY,
  change_id INTEGER NOT NULL REFERENCES moves (change_id) ON DELETE CASCADE,
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  -- 1: it has another account now. 0: it stayed, and lost what it referred to.
  moved INTEGER NOT NULL CHECK (moved IN (0, 1)),
  -- JSON: what it referred to before.
  before TEXT NOT NULL
) STRICT;
CREATE INDEX moved_records_by_change ON moved_records (change_id, id);
CREATE INDEX moved_records_by_record ON moved_records (change_id, resource, record_id);

-- Links whose figures have yet to be taken from the statistics of one account into those of another. The figures of the
-- hours that clicks are still counted in were written down when the link moved (`moving_hours`); those of the hours before
-- change no more, and `dimension`, `hour` and `word` say how far they have come.
CREATE TABLE moving_figures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  link_id INTEGER NOT NULL,
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  before_hour INTEGER NOT NULL,
  dimension INTEGER NOT NULL,
  hour INTEGER NOT NULL DEFAULT -1,
  word INTEGER NOT NULL DEFAULT -1
) STRICT;
CREATE TABLE moving_hours (
  move_id INTEGER NOT NULL REFERENCES moving_figures (id) ON DELETE CASCADE,
  dimension INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  word INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  unique_clicks INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  PRIMARY KEY (move_id, dimension, hour, word)
) STRICT, WITHOUT ROWID;

-- What is counted for an account follows what it owns, and the webhooks of both accounts are told.
CREATE TRIGGER links_move_counts AFTER UPDATE OF user_id ON links WHEN old.user_id <> new.user_id BEGIN
  UPDATE link_counts SET
    live = live - (old.trashed_at IS NULL), trashed = trashed - (old.trashed_at IS NOT NULL), version = version + 1
    WHERE user_id = old.user_id;
  INSERT INTO link_counts (user_id, live, trashed) VALUES (new.user_id, new.trashed_at IS NULL, new.trashed_at IS NOT NULL)
    ON CONFLICT (user_id) DO UPDATE SET
      live = live + excluded.live, trashed = trashed + excluded.trashed, version = version + 1;
END;
CREATE TRIGGER links_move_clicks AFTER UPDATE OF user_id ON links
WHEN old.user_id <> new.user_id AND new.trashed_at IS NULL AND new.clicks <> 0 BEGIN
  UPDATE click_counts SET
    clicks = clicks - new.clicks + ifnull((SELECT clicks FROM forgotten_clicks WHERE link_id = new.id), 0)
    WHERE user_id = old.user_id;
  INSERT INTO click_counts (user_id, clicks)
    SELECT new.user_id, new.clicks - ifnull((SELECT clicks FROM forgotten_clicks WHERE link_id = new.id), 0) WHERE true
    ON CONFLICT (user_id) DO UPDATE SET clicks = clicks + excluded.clicks;
END;
CREATE TRIGGER links_move_away AFTER UPDATE OF user_id ON links
WHEN old.user_id <> new.user_id AND new.trashed_at IS NULL
  AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = old.user_id AND enabled = 1) BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (old.user_id, 'link.deleted',
    json_object('id', new.id, 'alias', new.alias, 'domain', new.domain_id, 'longurl', new.url, 'title', new.title));
END;
CREATE TRIGGER links_move_in AFTER UPDATE OF user_id ON links
WHEN old.user_id <> new.user_id AND new.trashed_at IS NULL
  AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = new.user_id AND enabled = 1) BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (new.user_id, 'link.created',
    json_object('id', new.id, 'alias', new.alias, 'domain', new.domain_id, 'longurl', new.url, 'title', new.title));
END;
CREATE TRIGGER campaigns_move_away AFTER UPDATE OF user_id ON campaigns
WHEN old.user_id <> new.user_id AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = old.user_id AND enabled = 1) BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (old.user_id, 'campaign.deleted',
    json_object('id', new.id, 'name', new.name, 'slug', new.slug));
END;
CREATE TRIGGER campaigns_move_in AFTER UPDATE OF user_id ON campaigns
WHEN old.user_id <> new.user_id AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = new.user_id AND enabled = 1) BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (new.user_id, 'campaign.created',
    json_object('id', new.id, 'name', new.name, 'slug', new.slug));
END;
CREATE TRIGGER channels_move_away AFTER UPDATE OF user_id ON channels
WHEN old.user_id <> new.user_id AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = old.user_id AND enabled = 1) BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (old.user_id, 'channel.deleted',
    json_object('id', new.id, 'name', new.name));
END;
CREATE TRIGGER channels_move_in AFTER UPDATE OF user_id ON channels
WHEN old.user_id <> new.user_id AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = new.user_id AND enabled = 1) BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (new.user_id, 'channel.created',
    json_object('id', new.id, 'name', new.name));
END;
CREATE TRIGGER files_move_away AFTER UPDATE OF user_id ON files
WHEN old.user_id <> new.user_id AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = old.user_id AND enabled = 1) BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (old.user_id, 'file.deleted',
    json_object('id', new.id, 'name', new.name, 'alias', new.alias, 'domain', new.domain_id));
END;
CREATE TRIGGER files_move_in AFTER UPDATE OF user_id ON files
WHEN old.user_id <> new.user_id AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = new.user_id AND enabled = 1) BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (new.user_id, 'file.created',
    json_object('id', new.id, 'name', new.name, 'alias', new.alias, 'domain', new.domain_id, 'size', new.size));
END;
CREATE TRIGGER files_move_bytes AFTER UPDATE OF user_id ON files WHEN old.user_id <> new.user_id BEGIN
  UPDATE stored_bytes SET files = files - new.size WHERE user_id = old.user_id;
  INSERT INTO stored_bytes (user_id, files) VALUES (new.user_id, new.size)
    ON CONFLICT (user_id) DO UPDATE SET files = files + excluded.files;
END;
CREATE TRIGGER qr_codes_move_bytes AFTER UPDATE OF user_id ON qr_codes
WHEN old.user_id <> new.user_id AND new.logo_image IS NOT NULL BEGIN
  UPDATE stored_bytes SET pictures = pictures - length(new.logo_image) WHERE user_id = old.user_id;
  INSERT INTO stored_bytes (user_id, pictures) VALUES (new.user_id, length(new.logo_image))
    ON CONFLICT (user_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
CREATE TRIGGER domains_move_bytes AFTER UPDATE OF user_id ON domains WHEN old.user_id IS NOT new.user_id BEGIN
  UPDATE stored_bytes SET pictures = pictures
    - (SELECT ifnull(sum(length(body)), 0) FROM domain_pictures WHERE domain_id = new.id) WHERE user_id = old.user_id;
  INSERT INTO stored_bytes (user_id, pictures)
    SELECT new.user_id, (SELECT ifnull(sum(length(body)), 0) FROM domain_pictures WHERE domain_id = new.id)
    WHERE new.user_id IS NOT NULL
    ON CONFLICT (user_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
