-- How many answers of an account are given again: asked before each new one, and counted by nobody (decision 0078).
CREATE TABLE idempotent_counts (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  total INTEGER NOT NULL
) STRICT;
INSERT INTO idempotent_counts (user_id, total) SELECT user_id, count(*) FROM idempotent_replies GROUP BY user_id;
CREATE TRIGGER idempotent_replies_count_insert AFTER INSERT ON idempotent_replies BEGIN
  INSERT INTO idempotent_counts (user_id, total) VALUES (new.user_id, 1)
    ON CONFLICT (user_id) DO UPDATE SET total = total + 1;
END;
-- The count may be gone with its account.
CREATE TRIGGER idempotent_replies_count_delete AFTER DELETE ON idempotent_replies BEGIN
  UPDATE idempotent_counts SET total = total - 1 WHERE user_id = old.user_id;
END;

-- Finds an account's link by where it leads, on one domain and also of one member alone: the first row is the one. Coarser
-- than the rule of `content/links/destination.ts`, which decides, only in the case of letters and in dots.
DROP INDEX links_by_destination;
CREATE INDEX links_by_destination ON links (user_id, replace(replace(lower(url), './', '/'), '.:', ':'),
  ifnull(domain_id, 0), archived, ifnull(created_by, user_id))
WHERE trashed_at IS NULL;

-- Domains whose trouble nobody could be told of yet, as too many emails were sent. `until` is the end of the certificate; NULL
-- where the DNS is at fault.
CREATE TABLE untold_domains (
  domain_id INTEGER PRIMARY KEY REFERENCES domains (id) ON DELETE CASCADE,
  until TEXT
) STRICT;
