-- What is left of a bulk action over many links, a few links a row: each row goes in the transaction that does it, and the
-- next start goes on with the others. Doing one twice changes nothing.
CREATE TABLE bulk_rest (
  change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  action TEXT NOT NULL,
  -- JSON, as it was sent.
  value TEXT NOT NULL,
  -- JSON: [id]
  link_ids TEXT NOT NULL,
  PRIMARY KEY (change_id, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX bulk_rest_by_user ON bulk_rest (user_id);
