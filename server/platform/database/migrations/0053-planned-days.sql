-- What is done to a link on a day: archive it, delete it, end its A/B test with one of the variants (null: with its own
-- destination). The indexes find what is due; nearly all links have no such day.
ALTER TABLE links ADD COLUMN archive_at INTEGER;
ALTER TABLE links ADD COLUMN delete_at INTEGER;
ALTER TABLE links ADD COLUMN test_until INTEGER;
ALTER TABLE links ADD COLUMN test_winner TEXT;
CREATE INDEX links_by_archive_at ON links (archive_at) WHERE archive_at IS NOT NULL AND trashed_at IS NULL;
CREATE INDEX links_by_delete_at ON links (delete_at) WHERE delete_at IS NOT NULL AND trashed_at IS NULL;
CREATE INDEX links_by_test_until ON links (test_until) WHERE test_until IS NOT NULL AND trashed_at IS NULL;

-- As before, with the new columns.
DROP TRIGGER links_updated;
CREATE TRIGGER links_updated AFTER UPDATE OF alias, domain_id, url, title, description, note, type, password_hash, status,
  expires_at, not_before_at, click_limit, expiration_url, redirect_status, forward_query, archived, locked, rules, abtesting,
  parameters, deeplink, meta_title, meta_description, meta_image, pixels, campaign_id, trashed_at, archive_at, delete_at,
  test_until, test_winner ON links
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
  AND (OLD.trashed_at IS NULL OR NEW.trashed_at IS NULL)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id,
    CASE
      WHEN OLD.trashed_at IS NULL AND NEW.trashed_at IS NOT NULL THEN 'link.deleted'
      WHEN OLD.trashed_at IS NOT NULL THEN 'link.restored'
      ELSE 'link.updated'
    END,
    json_object('id', NEW.id, 'alias', NEW.alias, 'domain', NEW.domain_id, 'longurl', NEW.url, 'title', NEW.title));
END;
