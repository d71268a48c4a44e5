-- What takes long goes on after the answer, a slice at a time (server/platform/jobs/backlog.ts). What is left to do stands in the
-- database, so that a crash or a stop loses none of it.

-- A domain that was deleted: it routes nothing and is in no list. The row stays until everything on it was moved away.
ALTER TABLE domains ADD COLUMN removed_at INTEGER;
CREATE INDEX domains_removed ON domains (id) WHERE removed_at IS NOT NULL;
CREATE INDEX campaigns_by_domain ON campaigns (domain_id) WHERE domain_id IS NOT NULL;
CREATE INDEX users_by_default_domain ON users (default_domain_id) WHERE default_domain_id IS NOT NULL;

-- Links that are gone for good, whose clicks and figures are still there. No list shows them.
CREATE TABLE gone_links (
  link_id INTEGER PRIMARY KEY
) STRICT;
CREATE TRIGGER links_leave_figures AFTER DELETE ON links BEGIN
  INSERT OR IGNORE INTO gone_links (link_id) VALUES (old.id);
END;
