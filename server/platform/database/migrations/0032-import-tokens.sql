-- A link may have been made by one import and led elsewhere by others: each of them is known when it is sent again.
CREATE TABLE import_tokens (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token BLOB NOT NULL,
  link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
  -- Counts up within a link: the oldest tokens of a link that many imports lead elsewhere are forgotten.
  number INTEGER NOT NULL,
  PRIMARY KEY (user_id, token)
) STRICT, WITHOUT ROWID;
INSERT INTO import_tokens (user_id, token, link_id, number) SELECT user_id, token, link_id, 1 FROM imported_rows;
DROP TABLE imported_rows;
CREATE UNIQUE INDEX import_tokens_by_link ON import_tokens (link_id, number);
