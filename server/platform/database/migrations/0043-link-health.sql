-- Whether the destinations of links answer (decision 0077). A link has a row from the first look after its account asked.
CREATE TABLE link_health (
  link_id INTEGER PRIMARY KEY REFERENCES links (id) ON DELETE CASCADE,
  -- When it is to be asked next.
  due_at INTEGER NOT NULL,
  -- NULL before the first answer or failure.
  checked_at INTEGER,
  -- Checks in a row that failed, and when the first of them did.
  failures INTEGER NOT NULL DEFAULT 0,
  failed_at INTEGER,
  -- NULL unless it counts as broken.
  broken_at INTEGER,
  reason TEXT CHECK (reason IN ('not_found', 'gone', 'server_error', 'dns', 'tls', 'refused')),
  -- The destination that is at fault.
  address TEXT
) STRICT;
CREATE INDEX link_health_due ON link_health (due_at);
CREATE INDEX link_health_broken ON link_health (link_id) WHERE broken_at IS NOT NULL;

-- What was found out is about other destinations than those that it leads to now.
CREATE TRIGGER link_health_begin AFTER UPDATE OF url, rules, abtesting ON links
WHEN (new.url, new.rules, new.abtesting) IS NOT (old.url, old.rules, old.abtesting) BEGIN
  UPDATE link_health SET due_at = 0, checked_at = NULL, failures = 0, failed_at = NULL, broken_at = NULL, reason = NULL,
    address = NULL WHERE link_id = new.id;
END;

-- When people were last told of the broken links of an account.
CREATE TABLE link_health_mails (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sent_at INTEGER NOT NULL
) STRICT;
