-- Which pictures the pages of an account show, and which its deleted pages need: without this, each change of a page looked
-- through all pages of its account for them.
CREATE VIEW page_picture_sources (user_id, url, trashed, resource, record_id) AS
  SELECT user_id, avatar, 0, 'splash', id FROM splash_pages WHERE avatar IS NOT NULL
  UNION ALL SELECT user_id, banner, 0, 'splash', id FROM splash_pages WHERE banner IS NOT NULL
  UNION ALL SELECT user_id, json_extract(content, '$.image'), 0, 'overlays', id FROM overlays
    WHERE type = 'image' AND json_extract(content, '$.image') IS NOT NULL
  UNION ALL SELECT user_id, avatar, 0, 'bio', id FROM bio_pages WHERE avatar IS NOT NULL
  UNION ALL SELECT user_id, json_extract(block.value, '$.image'), 0, 'bio', bio_pages.id
    FROM bio_pages, json_each(blocks) AS block WHERE json_extract(block.value, '$.image') IS NOT NULL
  UNION ALL SELECT user_id, picture.value, 1, resource, record_id
    FROM removals, json_each(content, '$.pictures') AS picture WHERE resource IN ('overlays', 'splash', 'bio');

CREATE TABLE page_picture_uses (
  user_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  trashed INTEGER NOT NULL CHECK (trashed IN (0, 1)),
  resource TEXT NOT NULL CHECK (resource IN ('overlays', 'splash', 'bio')),
  record_id INTEGER NOT NULL,
  PRIMARY KEY (user_id, url, trashed, resource, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_picture_uses_by_record ON page_picture_uses (resource, record_id, trashed);
INSERT OR IGNORE INTO page_picture_uses SELECT * FROM page_picture_sources;

-- A row of pictures is read to its end where what stands behind its body is asked for.
CREATE INDEX page_pictures_by_use ON page_pictures (user_id, url, shown, uploaded_at);

CREATE TRIGGER splash_pages_use_pictures AFTER INSERT ON splash_pages BEGIN
  INSERT OR IGNORE INTO page_picture_uses
    SELECT * FROM page_picture_sources WHERE resource = 'splash' AND record_id = NEW.id AND trashed = 0;
END;
CREATE TRIGGER splash_pages_change_pictures AFTER UPDATE OF user_id, avatar, banner ON splash_pages BEGIN
  DELETE FROM page_picture_uses WHERE resource = 'splash' AND record_id = OLD.id AND trashed = 0;
  INSERT OR IGNORE INTO page_picture_uses
    SELECT * FROM page_picture_sources WHERE resource = 'splash' AND record_id = NEW.id AND trashed = 0;
END;
CREATE TRIGGER splash_pages_leave_pictures AFTER DELETE ON splash_pages BEGIN
  DELETE FROM page_picture_uses WHERE resource = 'splash' AND record_id = OLD.id AND trashed = 0;
END;

CREATE TRIGGER overlays_use_pictures AFTER INSERT ON overlays BEGIN
  INSERT OR IGNORE INTO page_picture_uses
    SELECT * FROM page_picture_sources WHERE resource = 'overlays' AND record_id = NEW.id AND trashed = 0;
END;
CREATE TRIGGER overlays_change_pictures AFTER UPDATE OF user_id, type, content ON overlays BEGIN
  DELETE FROM page_picture_uses WHERE resource = 'overlays' AND record_id = OLD.id AND trashed = 0;
  INSERT OR IGNORE INTO page_picture_uses
    SELECT * FROM page_picture_sources WHERE resource = 'overlays' AND record_id = NEW.id AND trashed = 0;
END;
CREATE TRIGGER overlays_leave_pictures AFTER DELETE ON overlays BEGIN
  DELETE FROM page_picture_uses WHERE resource = 'overlays' AND record_id = OLD.id AND trashed = 0;
END;

CREATE TRIGGER bio_pages_use_pictures AFTER INSERT ON bio_pages BEGIN
  INSERT OR IGNORE INTO page_picture_uses
    SELECT * FROM page_picture_sources WHERE resource = 'bio' AND record_id = NEW.id AND trashed = 0;
END;
CREATE TRIGGER bio_pages_change_pictures AFTER UPDATE OF user_id, avatar, blocks ON bio_pages BEGIN
  DELETE FROM page_picture_uses WHERE resource = 'bio' AND record_id = OLD.id AND trashed = 0;
  INSERT OR IGNORE INTO page_picture_uses
    SELECT * FROM page_picture_sources WHERE resource = 'bio' AND record_id = NEW.id AND trashed = 0;
END;
CREATE TRIGGER bio_pages_leave_pictures AFTER DELETE ON bio_pages BEGIN
  DELETE FROM page_picture_uses WHERE resource = 'bio' AND record_id = OLD.id AND trashed = 0;
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
