-- What few clicks have beside their words: the other two UTM values, and the account's own query parameters, each as
-- `name=value`. In a table of its own, as a column of the log would cost every click a byte.
CREATE TABLE click_marks (
  click_id    INTEGER PRIMARY KEY REFERENCES clicks (id) ON DELETE CASCADE,
  utm_term    INTEGER NOT NULL,
  utm_content INTEGER NOT NULL,
  param1      INTEGER NOT NULL,
  param2      INTEGER NOT NULL,
  param3      INTEGER NOT NULL,
  param4      INTEGER NOT NULL,
  param5      INTEGER NOT NULL
) STRICT;

-- Names of an account's own query parameters by their places, as JSON; null where a place is free.
ALTER TABLE users ADD COLUMN parameters TEXT;

-- There are more than 16 dimensions now: a batch that a crash has left half written goes on from the same place.
UPDATE rollup_position SET done_key = done_key / 16 * 32 + done_key % 16;
