-- Webhooks: what happens to an account's resources is told to addresses of its choice (decision 0020).

CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  -- JSON: names of events, or ["*"] for all.
  events TEXT NOT NULL,
  -- Sealed by the vault: it is needed again for each signature.
  secret TEXT NOT NULL,
  enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  -- Why it was switched off, where nobody did it: 'gone' or 'failing'.
  stopped TEXT,
  -- Since when nothing arrives; NULL while deliveries arrive.
  failing_since_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_user ON webhooks (user_id, id DESC);

-- What happened and was not yet made into deliveries. Written by the triggers below in the transaction of the change
-- itself, so that neither is there without the other. No foreign key: rows of a removed account are simply dropped.
CREATE TABLE webhook_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;

CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  -- The same for every attempt, so that the other side can tell a repetition.
  message TEXT NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  -- When it is tried next; NULL once it is over.
  next_at INTEGER,
  -- Of the last attempt: HTTP status (NULL where there was no answer) and milliseconds.
  status INTEGER,
  duration INTEGER,
  created_at INTEGER NOT NULL,
  attempted_at INTEGER
) STRICT;
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id DESC);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'waiting';

CREATE TRIGGER links_created AFTER INSERT ON links
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id, 'link.created',
    json_object('id', NEW.id, 'alias', NEW.alias, 'domain', NEW.domain_id, 'longurl', NEW.url, 'title', NEW.title));
END;

-- Counters are not among these columns: a click is no change of a link.
CREATE TRIGGER links_updated AFTER UPDATE OF alias, domain_id, url, title, description, note, type, password_hash, status,
  expires_at, not_before_at, click_limit, expiration_url, redirect_status, forward_query, archived, locked, rules, abtesting,
  parameters, deeplink, meta_title, meta_description, meta_image, pixels, campaign_id, trashed_at ON links
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

CREATE TRIGGER links_deleted AFTER DELETE ON links
WHEN OLD.trashed_at IS NULL AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = OLD.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (OLD.user_id, 'link.deleted',
    json_object('id', OLD.id, 'alias', OLD.alias, 'domain', OLD.domain_id, 'longurl', OLD.url, 'title', OLD.title));
END;

CREATE TRIGGER campaigns_created AFTER INSERT ON campaigns
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id, 'campaign.created',
    json_object('id', NEW.id, 'name', NEW.name, 'slug', NEW.slug));
END;
CREATE TRIGGER campaigns_updated AFTER UPDATE OF name, slug, public, domain_id ON campaigns
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id, 'campaign.updated',
    json_object('id', NEW.id, 'name', NEW.name, 'slug', NEW.slug));
END;
CREATE TRIGGER campaigns_deleted AFTER DELETE ON campaigns
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = OLD.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (OLD.user_id, 'campaign.deleted',
    json_object('id', OLD.id, 'name', OLD.name, 'slug', OLD.slug));
END;

CREATE TRIGGER channels_created AFTER INSERT ON channels
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id, 'channel.created',
    json_object('id', NEW.id, 'name', NEW.name));
END;
CREATE TRIGGER channels_updated AFTER UPDATE ON channels
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id, 'channel.updated',
    json_object('id', NEW.id, 'name', NEW.name));
END;
CREATE TRIGGER channels_deleted AFTER DELETE ON channels
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = OLD.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (OLD.user_id, 'channel.deleted',
    json_object('id', OLD.id, 'name', OLD.name));
END;

CREATE TRIGGER files_created AFTER INSERT ON files
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id, 'file.created',
    json_object('id', NEW.id, 'name', NEW.name, 'alias', NEW.alias, 'domain', NEW.domain_id, 'size', NEW.size));
END;
CREATE TRIGGER files_downloaded AFTER UPDATE OF downloads ON files
WHEN NEW.downloads > OLD.downloads AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id, 'file.downloaded',
    json_object('id', NEW.id, 'name', NEW.name, 'alias', NEW.alias, 'domain', NEW.domain_id, 'downloads', NEW.downloads));
END;
CREATE TRIGGER files_deleted AFTER DELETE ON files
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = OLD.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (OLD.user_id, 'file.deleted',
    json_object('id', OLD.id, 'name', OLD.name, 'alias', OLD.alias, 'domain', OLD.domain_id));
END;

CREATE TRIGGER domains_created AFTER INSERT ON domains
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id, 'domain.created',
    json_object('id', NEW.id, 'host', NEW.host, 'dns_status', NEW.dns_status, 'ssl_status', NEW.ssl_status));
END;
CREATE TRIGGER domains_updated AFTER UPDATE OF dns_status, ssl_status, server_synced, disabled ON domains
WHEN (OLD.dns_status <> NEW.dns_status OR OLD.ssl_status <> NEW.ssl_status OR OLD.server_synced <> NEW.server_synced
    OR OLD.disabled <> NEW.disabled)
  AND EXISTS (SELECT 1 FROM webhooks WHERE user_id = NEW.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (NEW.user_id, 'domain.updated',
    json_object('id', NEW.id, 'host', NEW.host, 'dns_status', NEW.dns_status, 'ssl_status', NEW.ssl_status));
END;
CREATE TRIGGER domains_deleted AFTER DELETE ON domains
WHEN EXISTS (SELECT 1 FROM webhooks WHERE user_id = OLD.user_id AND enabled = 1)
BEGIN
  INSERT INTO webhook_events (user_id, type, data) VALUES (OLD.user_id, 'domain.deleted',
    json_object('id', OLD.id, 'host', OLD.host));
END;

CREATE TRIGGER bio_messages_created AFTER INSERT ON bio_messages
WHEN EXISTS (
  SELECT 1 FROM bio_pages JOIN webhooks ON webhooks.user_id = bio_pages.user_id AND enabled = 1 WHERE bio_pages.id = NEW.bio_id
)
BEGIN
  INSERT INTO webhook_events (user_id, type, data)
  SELECT user_id, 'bio.message',
    json_object('id', id, 'name', name, 'from', NEW.name, 'email', NEW.email, 'message', NEW.message)
  FROM bio_pages WHERE id = NEW.bio_id;
END;

CREATE TRIGGER overlay_answers_created AFTER INSERT ON overlay_answers
WHEN EXISTS (
  SELECT 1 FROM overlays JOIN webhooks ON webhooks.user_id = overlays.user_id AND enabled = 1 WHERE overlays.id = NEW.overlay_id
)
BEGIN
  INSERT INTO webhook_events (user_id, type, data)
  SELECT user_id, 'overlay.answer', json_object('id', id, 'name', name, 'type', type, 'value', NEW.value)
  FROM overlays WHERE id = NEW.overlay_id;
END;
