-- When a picture was uploaded, for as long as nothing has shown it: null after that, and for those that were fetched.
ALTER TABLE page_pictures ADD COLUMN uploaded_at INTEGER;
UPDATE page_pictures SET uploaded_at = unixepoch() * 1000 WHERE shown = 0 AND substr(url, -32) = token;
CREATE INDEX page_pictures_waiting ON page_pictures (user_id, id) WHERE uploaded_at IS NOT NULL;
CREATE INDEX page_pictures_by_upload ON page_pictures (uploaded_at) WHERE uploaded_at IS NOT NULL;
