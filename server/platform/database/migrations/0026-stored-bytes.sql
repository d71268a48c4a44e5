-- How many bytes the files and pictures of each account take, for the bound that its plan sets. Kept up to date by
-- triggers: whatever code stores or removes a content, the figure is right, and reading it is one look-up.
-- A logo counts while its code is among the removals too, or deleting and adding again would be a way around the bound.

CREATE TABLE stored_bytes (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  files INTEGER NOT NULL DEFAULT 0,
  pictures INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Each content that takes space, with whom it belongs to; what the figures must add up to.
CREATE VIEW stored_contents AS
  SELECT user_id, size AS files, 0 AS pictures FROM files
  UNION ALL SELECT user_id, 0, length(body) FROM avatars
  UNION ALL SELECT user_id, 0, length(body) FROM page_pictures
  UNION ALL SELECT user_id, 0, length(logo_image) FROM qr_codes WHERE logo_image IS NOT NULL
  UNION ALL SELECT user_id, 0, length(body) FROM domain_pictures JOIN domains ON domains.id = domain_id
    WHERE user_id IS NOT NULL
  UNION ALL SELECT user_id, 0, 3 * length(logo) / 4 - (length(logo) - length(rtrim(logo, '=')))
    FROM (SELECT user_id, content ->> '$.row.logo_image' AS logo FROM removals WHERE resource = 'qr')
    WHERE logo IS NOT NULL;

INSERT INTO stored_bytes (user_id, files, pictures)
  SELECT user_id, sum(files), sum(pictures) FROM stored_contents GROUP BY user_id;

CREATE TRIGGER files_count_bytes AFTER INSERT ON files BEGIN
  INSERT INTO stored_bytes (user_id, files) VALUES (new.user_id, new.size)
    ON CONFLICT (user_id) DO UPDATE SET files = files + excluded.files;
END;
CREATE TRIGGER files_free_bytes AFTER DELETE ON files BEGIN
  UPDATE stored_bytes SET files = files - old.size WHERE user_id = old.user_id;
END;

CREATE TRIGGER avatars_count_bytes AFTER INSERT ON avatars BEGIN
  INSERT INTO stored_bytes (user_id, pictures) VALUES (new.user_id, length(new.body))
    ON CONFLICT (user_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
CREATE TRIGGER avatars_recount_bytes AFTER UPDATE OF body ON avatars BEGIN
  UPDATE stored_bytes SET pictures = pictures + length(new.body) - length(old.body) WHERE user_id = new.user_id;
END;
CREATE TRIGGER avatars_free_bytes AFTER DELETE ON avatars BEGIN
  UPDATE stored_bytes SET pictures = pictures - length(old.body) WHERE user_id = old.user_id;
END;

CREATE TRIGGER page_pictures_count_bytes AFTER INSERT ON page_pictures BEGIN
  INSERT INTO stored_bytes (user_id, pictures) VALUES (new.user_id, length(new.body))
    ON CONFLICT (user_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
CREATE TRIGGER page_pictures_recount_bytes AFTER UPDATE OF body ON page_pictures BEGIN
  UPDATE stored_bytes SET pictures = pictures + length(new.body) - length(old.body) WHERE user_id = new.user_id;
END;
CREATE TRIGGER page_pictures_free_bytes AFTER DELETE ON page_pictures BEGIN
  UPDATE stored_bytes SET pictures = pictures - length(old.body) WHERE user_id = old.user_id;
END;

CREATE TRIGGER qr_codes_count_bytes AFTER INSERT ON qr_codes WHEN new.logo_image IS NOT NULL BEGIN
  INSERT INTO stored_bytes (user_id, pictures) VALUES (new.user_id, length(new.logo_image))
    ON CONFLICT (user_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
CREATE TRIGGER qr_codes_recount_bytes AFTER UPDATE OF logo_image ON qr_codes
WHEN new.logo_image IS NOT old.logo_image BEGIN
  INSERT INTO stored_bytes (user_id, pictures)
    VALUES (new.user_id, ifnull(length(new.logo_image), 0) - ifnull(length(old.logo_image), 0))
    ON CONFLICT (user_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
CREATE TRIGGER qr_codes_free_bytes AFTER DELETE ON qr_codes WHEN old.logo_image IS NOT NULL BEGIN
  UPDATE stored_bytes SET pictures = pictures - length(old.logo_image) WHERE user_id = old.user_id;
END;

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

-- Pictures of a platform domain are nobody's.
CREATE TRIGGER domain_pictures_count_bytes AFTER INSERT ON domain_pictures BEGIN
  INSERT INTO stored_bytes (user_id, pictures)
    SELECT user_id, length(new.body) FROM domains WHERE id = new.domain_id AND user_id IS NOT NULL
    ON CONFLICT (user_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
CREATE TRIGGER domain_pictures_recount_bytes AFTER UPDATE OF body ON domain_pictures BEGIN
  UPDATE stored_bytes SET pictures = pictures + length(new.body) - length(old.body)
  WHERE user_id = (SELECT user_id FROM domains WHERE id = new.domain_id);
END;
CREATE TRIGGER domain_pictures_free_bytes AFTER DELETE ON domain_pictures BEGIN
  UPDATE stored_bytes SET pictures = pictures - length(old.body)
  WHERE user_id = (SELECT user_id FROM domains WHERE id = old.domain_id);
END;
-- Once the domain is gone, nothing tells whose its pictures were: they go first.
CREATE TRIGGER domains_remove_pictures BEFORE DELETE ON domains BEGIN
  DELETE FROM domain_pictures WHERE domain_id = old.id;
END;
