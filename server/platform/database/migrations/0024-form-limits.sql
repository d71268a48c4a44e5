-- A form takes so many entries a day and keeps the latest of them (server/visits/redirects/form-queries.ts). When it last reached
-- a limit and its owner was told; noted once a day.
ALTER TABLE bio_pages ADD COLUMN limited_at INTEGER;
ALTER TABLE overlays ADD COLUMN limited_at INTEGER;
CREATE INDEX overlay_answers_by_overlay ON overlay_answers (overlay_id, id);

-- Votes of polls whose single answers were removed: the results stay what they are.
CREATE TABLE overlay_past_votes (
  overlay_id INTEGER NOT NULL REFERENCES overlays (id) ON DELETE CASCADE,
  value TEXT NOT NULL,
  votes INTEGER NOT NULL,
  -- The last of them.
  at INTEGER NOT NULL,
  PRIMARY KEY (overlay_id, value)
) STRICT, WITHOUT ROWID;
