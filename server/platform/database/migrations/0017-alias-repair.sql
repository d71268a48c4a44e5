-- Who answers on an address and what the tables say of it had come apart in two ways: a bulk move that was refused gave
-- the alias of its link away, and the links of a deleted account left theirs behind.

-- However a link goes (by its owner, from the trash, or with the account), its alias is free again.
CREATE TRIGGER links_release_alias AFTER DELETE ON links BEGIN
  DELETE FROM aliases WHERE kind = 'link' AND target_id = old.id;
END;

DELETE FROM aliases WHERE kind = 'link'
  AND NOT EXISTS (SELECT 1 FROM links WHERE id = target_id AND trashed_at IS NULL);
DELETE FROM aliases WHERE kind = 'file' AND NOT EXISTS (SELECT 1 FROM files WHERE id = target_id);
DELETE FROM aliases WHERE kind = 'bio' AND NOT EXISTS (SELECT 1 FROM bio_pages WHERE id = target_id);

-- What lost its alias gets it back where nobody has taken it since; the `check` command names what is left.
INSERT OR IGNORE INTO aliases (domain_id, alias, kind, target_id)
  SELECT ifnull(domain_id, 0), alias, 'link', id FROM links
  WHERE trashed_at IS NULL AND NOT EXISTS (SELECT 1 FROM aliases WHERE kind = 'link' AND target_id = links.id)
  ORDER BY id;
INSERT OR IGNORE INTO aliases (domain_id, alias, kind, target_id)
  SELECT ifnull(domain_id, 0), alias, 'file', id FROM files
  WHERE NOT EXISTS (SELECT 1 FROM aliases WHERE kind = 'file' AND target_id = files.id) ORDER BY id;
INSERT OR IGNORE INTO aliases (domain_id, alias, kind, target_id)
  SELECT ifnull(domain_id, 0), alias, 'bio', id FROM bio_pages
  WHERE NOT EXISTS (SELECT 1 FROM aliases WHERE kind = 'bio' AND target_id = bio_pages.id) ORDER BY id;
