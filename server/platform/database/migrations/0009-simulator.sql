-- Saved cases of links: a visitor, and what is expected to happen to one.

-- visitor and expected are JSON in stored form: codes in place of names, moments as UTC milliseconds.
CREATE TABLE link_cases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  visitor TEXT NOT NULL,
  expected TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX link_cases_by_link ON link_cases (link_id, id DESC);
