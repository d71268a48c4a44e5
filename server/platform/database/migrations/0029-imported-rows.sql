-- Which row of an import made a link, or led it elsewhere last: a row that is sent again after its answer was lost is
-- known by this. The token is a hash of what the client made up, so that it takes the same space whatever that was.
CREATE TABLE imported_rows (
  link_id INTEGER PRIMARY KEY REFERENCES links (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token BLOB NOT NULL,
  UNIQUE (user_id, token)
) STRICT;
