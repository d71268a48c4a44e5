-- Overlays, splash pages, bio pages and QR codes that were deleted can be brought back as well. With a rowid, because rows
-- may have megabytes now: without one, each look-up by the key would read the whole row.

CREATE TABLE removals_of_all (
  resource TEXT NOT NULL
    CHECK (resource IN ('campaigns', 'channels', 'pixels', 'overlays', 'splash', 'bio', 'qr')),
  record_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The row and what pointed at it, as JSON; in `pictures` the addresses of the pictures that it shows.
  content TEXT NOT NULL,
  -- JSON: rows of other tables that went with it, by table: answers, counts, messages. Only SQL reads and writes them.
  belongings TEXT NOT NULL DEFAULT '{}',
  removed_at INTEGER NOT NULL,
  PRIMARY KEY (resource, record_id)
) STRICT;
INSERT INTO removals_of_all (resource, record_id, user_id, content, removed_at)
  SELECT resource, record_id, user_id, content, removed_at FROM removals;
DROP TABLE removals;
ALTER TABLE removals_of_all RENAME TO removals;
CREATE INDEX removals_by_age ON removals (removed_at);

-- 0 while every page that shows the picture is deleted and may come back: it is kept, and answered to nobody.
ALTER TABLE page_pictures ADD COLUMN shown INTEGER NOT NULL DEFAULT 1 CHECK (shown IN (0, 1));

-- What comes back with its page did not happen anew: webhooks hear nothing of it.
DROP TRIGGER bio_messages_created;
CREATE TRIGGER bio_messages_created AFTER INSERT ON bio_messages
WHEN EXISTS (
  SELECT 1 FROM bio_pages JOIN webhooks ON webhooks.user_id = bio_pages.user_id AND enabled = 1 WHERE bio_pages.id = NEW.bio_id
) AND NOT EXISTS (SELECT 1 FROM removals WHERE resource = 'bio' AND record_id = NEW.bio_id)
BEGIN
  INSERT INTO webhook_events (user_id, type, data)
  SELECT user_id, 'bio.message',
    json_object('id', id, 'name', name, 'from', NEW.name, 'email', NEW.email, 'message', NEW.message)
  FROM bio_pages WHERE id = NEW.bio_id;
END;

DROP TRIGGER overlay_answers_created;
CREATE TRIGGER overlay_answers_created AFTER INSERT ON overlay_answers
WHEN EXISTS (
  SELECT 1 FROM overlays JOIN webhooks ON webhooks.user_id = overlays.user_id AND enabled = 1 WHERE overlays.id = NEW.overlay_id
) AND NOT EXISTS (SELECT 1 FROM removals WHERE resource = 'overlays' AND record_id = NEW.overlay_id)
BEGIN
  INSERT INTO webhook_events (user_id, type, data)
  SELECT user_id, 'overlay.answer', json_object('id', id, 'name', name, 'type', type, 'value', NEW.value)
  FROM overlays WHERE id = NEW.overlay_id;
END;
