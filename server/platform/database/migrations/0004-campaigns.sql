-- Campaigns that rotate, channels of everything, and what links are dressed in: overlays, splash pages, pixels.

-- How many visits the rotator has sent on: whose turn it is, across restarts.
ALTER TABLE campaigns ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;
-- One name space for the whole instance, domains included: a campaign that loses its domain keeps its slug.
CREATE UNIQUE INDEX campaigns_by_slug ON campaigns (slug) WHERE slug IS NOT NULL;
-- How often a link's turn comes in its campaign's rotator; 0 leaves it out.
ALTER TABLE links ADD COLUMN campaign_weight INTEGER NOT NULL DEFAULT 1 CHECK (campaign_weight BETWEEN 0 AND 100);
-- A weight belongs to the campaign that it was given for.
CREATE TRIGGER links_campaign_weight AFTER UPDATE OF campaign_id ON links
WHEN old.campaign_id IS NOT new.campaign_id BEGIN
  UPDATE links SET campaign_weight = 1 WHERE id = new.id;
END;

-- What channels hold beside links, which have link_channels. created_at is the item's own, for the order of the list.
CREATE TABLE channel_items (
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('bio', 'qr')),
  item_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (channel_id, type, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX channel_items_by_item ON channel_items (type, item_id);

-- colors and content are JSON: validated by type when written, read whole.
CREATE TABLE overlays (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('message', 'contact', 'newsletter', 'poll', 'coupon', 'image')),
  position TEXT NOT NULL,
  colors TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX overlays_by_user ON overlays (user_id, id DESC);

-- What visitors sent to newsletter overlays (addresses) and polls (answers).
CREATE TABLE overlay_answers (
  id INTEGER PRIMARY KEY,
  overlay_id INTEGER NOT NULL REFERENCES overlays (id) ON DELETE CASCADE,
  -- Who sent it: the address, or a visitor's hash of that day. The same one is taken once.
  sender TEXT NOT NULL,
  value TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (overlay_id, sender)
) STRICT;

CREATE TABLE splash_pages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  title TEXT,
  message TEXT,
  product TEXT,
  avatar TEXT,
  banner TEXT,
  -- Seconds until the visitor is sent on.
  counter INTEGER NOT NULL CHECK (counter BETWEEN 1 AND 60),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX splash_pages_by_user ON splash_pages (user_id, id DESC);

-- The pictures of overlays and splash pages, fetched once, re-encoded and served from here, by their address.
CREATE TABLE page_pictures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  -- Part of the address that it is served under; nobody can guess it.
  token TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg')),
  body BLOB NOT NULL,
  UNIQUE (user_id, url)
) STRICT;

CREATE TABLE pixels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  tag TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX pixels_by_user ON pixels (user_id, id DESC);

-- Links by what dresses them, so that deleting it need not look at every link.
CREATE INDEX links_by_type ON links (user_id, type) WHERE type <> 'direct';
CREATE INDEX links_with_pixels ON links (user_id) WHERE pixels <> '[]';
