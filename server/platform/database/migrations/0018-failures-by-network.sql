-- Wrong passwords and codes count by account and network, so that a stranger cannot lock an owner out (decision 0007).
-- Failures from before have no network: they count for the account as a whole until their hour is over.
ALTER TABLE failures ADD COLUMN network TEXT NOT NULL DEFAULT '';
DROP INDEX failures_by_subject;
CREATE INDEX failures_by_subject ON failures (subject, kind, network, at);
CREATE INDEX failures_by_time ON failures (at);

-- Wrong codes in a row, which end by a right one and not with time. They were rows of `failures` under a name of their own.
CREATE TABLE code_rows (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  length INTEGER NOT NULL
) STRICT;
INSERT INTO code_rows (user_id, length)
  SELECT users.id, count(*) FROM failures JOIN users ON failures.subject = 'row of user ' || users.id GROUP BY users.id;
DELETE FROM failures WHERE subject LIKE 'row of %';

-- Networks from which somebody signed in; one IPv4 address or an IPv6 /64.
CREATE TABLE known_networks (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;
-- An IPv4 address is a network by itself; sessions from IPv6 are known from their next sign-in on.
INSERT INTO known_networks (user_id, network, at)
  SELECT user_id, last_address, max(last_used_at) FROM keys
  WHERE kind = 'session' AND last_used_at IS NOT NULL AND last_address NOT LIKE '%:%'
  GROUP BY user_id, last_address;
