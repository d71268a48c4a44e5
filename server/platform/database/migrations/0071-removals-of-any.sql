-- A resource comes into the trash by its line in server/platform/trash/sources.ts alone: no list of names stands here as well,
-- for whose sake this table would be made anew each time.
CREATE TABLE kept_removals AS SELECT * FROM removals;
CREATE TABLE kept_parts AS SELECT * FROM trash_parts;
DROP TABLE trash_parts;
DROP TABLE removals;

CREATE TABLE removals (
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The row and what pointed at it, as JSON; in `pictures` the addresses of the pictures that it shows.
  content TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  created_by INTEGER,
  updated_by INTEGER,
  state TEXT NOT NULL DEFAULT 'trashed' CHECK (state IN ('leaving', 'trashed', 'returning')),
  version INTEGER,
  PRIMARY KEY (resource, record_id)
) STRICT;
INSERT INTO removals
    (resource, record_id, user_id, content, removed_at, created_by, updated_by, state, version)
  SELECT resource, record_id, user_id, content, removed_at, created_by, updated_by, state, version FROM kept_removals;
DROP TABLE kept_removals;
CREATE INDEX removals_by_age ON removals (removed_at);
CREATE INDEX removals_under_way ON removals (resource, record_id) WHERE state <> 'trashed';
CREATE INDEX removals_by_creator ON removals (resource, user_id, ifnull(created_by, user_id), removed_at);

-- A few rows of one table each, as a JSON array of arrays (server/platform/trash/sources.ts).
CREATE TABLE trash_parts (
  id INTEGER PRIMARY KEY,
  resource TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  content TEXT NOT NULL,
  FOREIGN KEY (resource, record_id) REFERENCES removals (resource, record_id) ON DELETE CASCADE
) STRICT;
INSERT INTO trash_parts (id, resource, record_id, source, content)
  SELECT id, resource, record_id, source, content FROM kept_parts;
DROP TABLE kept_parts;
CREATE INDEX trash_parts_by_record ON trash_parts (resource, record_id, id);

-- The triggers went with the table (0026, 0070). They come back after its rows, which are counted and noted already.
CREATE TRIGGER removals_count_bytes AFTER INSERT ON removals
WHEN new.resource = 'qr' AND new.content ->> '$.row.logo_image' IS NOT NULL BEGIN
  INSERT INTO stored_bytes (user_id, pictures)
    SELECT new.user_id, 3 * length(logo) / 4 - (length(logo) - length(rtrim(logo, '=')))
    FROM (SELECT new.content ->> '$.row.logo_image' AS logo) WHERE true
    ON CONFLICT (user_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
CREATE TRIGGER removals_free_bytes AFTER DELETE ON removals
WHEN old.resource = 'qr' AND old.content ->> '$.row.logo_image' IS NOT NULL BEGIN
  UPDATE stored_bytes SET pictures = pictures
    - (SELECT 3 * length(logo) / 4 - (length(logo) - length(rtrim(logo, '=')))
       FROM (SELECT old.content ->> '$.row.logo_image' AS logo))
  WHERE user_id = old.user_id;
END;
CREATE TRIGGER removals_use_pictures AFTER INSERT ON removals WHEN NEW.resource IN ('overlays', 'splash', 'bio') BEGIN
  INSERT OR IGNORE INTO page_picture_uses
    SELECT * FROM page_picture_sources WHERE resource = NEW.resource AND record_id = NEW.record_id AND trashed = 1;
END;
CREATE TRIGGER removals_change_pictures AFTER UPDATE OF user_id, content ON removals
WHEN NEW.resource IN ('overlays', 'splash', 'bio') BEGIN
  DELETE FROM page_picture_uses WHERE resource = OLD.resource AND record_id = OLD.record_id AND trashed = 1;
  INSERT OR IGNORE INTO page_picture_uses
    SELECT * FROM page_picture_sources WHERE resource = NEW.resource AND record_id = NEW.record_id AND trashed = 1;
END;
CREATE TRIGGER removals_leave_pictures AFTER DELETE ON removals BEGIN
  DELETE FROM page_picture_uses WHERE resource = OLD.resource AND record_id = OLD.record_id AND trashed = 1;
END;
