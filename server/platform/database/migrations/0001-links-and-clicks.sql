-- Moments are UTC milliseconds since 1970, in columns that end in _at. Flags are 0 or 1.
-- A plan and its switches travel as one JSON document: they are read whole, never searched.

CREATE TABLE plans (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  free INTEGER NOT NULL DEFAULT 0 CHECK (free IN (0, 1)),
  permissions TEXT NOT NULL,
  limits TEXT NOT NULL,
  features TEXT NOT NULL
) STRICT;

INSERT INTO plans (id, name, free, permissions, limits, features) VALUES
  (1, 'Free', 1,
   '{"alias":false,"password":false,"qrlogo":false,"qrframes":false,"utmtemplates":false}',
   '{"links":-1,"clicks":-1,"retention":-1,"files":-1}',
   '{"bio":{"enabled":false,"count":0},"domain":{"enabled":false,"count":0},"splash":{"enabled":false,"count":0},"overlay":{"enabled":false,"count":0},"pixels":{"enabled":false,"count":0},"geo":{"enabled":false},"device":{"enabled":false},"export":{"enabled":false},"api":{"enabled":true},"team":{"enabled":false,"count":0}}'),
  (2, 'Pro', 0,
   '{"alias":true,"password":true,"qrlogo":true,"qrframes":true,"utmtemplates":true}',
   '{"links":-1,"clicks":-1,"retention":-1,"files":-1}',
   '{"bio":{"enabled":true,"count":-1},"domain":{"enabled":true,"count":-1},"splash":{"enabled":true,"count":-1},"overlay":{"enabled":true,"count":-1},"pixels":{"enabled":true,"count":-1},"geo":{"enabled":true},"device":{"enabled":true},"export":{"enabled":true},"api":{"enabled":true},"team":{"enabled":true,"count":-1}}');

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  -- NFC and case folded: what uniqueness and sign-in look at.
  email_folded TEXT NOT NULL UNIQUE,
  username TEXT NOT NULL,
  username_folded TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL DEFAULT '',
  password_hash TEXT NOT NULL,
  admin INTEGER NOT NULL DEFAULT 0 CHECK (admin IN (0, 1)),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  verified INTEGER NOT NULL DEFAULT 1 CHECK (verified IN (0, 1)),
  plan_id INTEGER NOT NULL REFERENCES plans (id),
  plan_expires_at INTEGER,
  registered_at INTEGER NOT NULL,
  timezone TEXT NOT NULL,
  perpage INTEGER NOT NULL DEFAULT 15 CHECK (perpage IN (15, 50, 100)),
  newsletter INTEGER NOT NULL DEFAULT 0 CHECK (newsletter IN (0, 1)),
  brokenlinks_email INTEGER NOT NULL DEFAULT 0 CHECK (brokenlinks_email IN (0, 1)),
  media INTEGER NOT NULL DEFAULT 0 CHECK (media IN (0, 1)),
  public INTEGER NOT NULL DEFAULT 0 CHECK (public IN (0, 1)),
  defaulttype TEXT NOT NULL DEFAULT 'direct',
  default_domain_id INTEGER REFERENCES domains (id) ON DELETE SET NULL,
  avatar TEXT,
  address TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- kind: primary (rotated), custom (managed apart), session (a signed-in browser or desktop).
CREATE TABLE keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('primary', 'custom', 'session')),
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  -- 'full', or a JSON array of '<resource>:read' and '<resource>:write'.
  scopes TEXT NOT NULL DEFAULT 'full',
  ratelimit INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  last_address TEXT
) STRICT;
CREATE INDEX keys_by_user ON keys (user_id, kind);
CREATE UNIQUE INDEX keys_one_primary ON keys (user_id) WHERE kind = 'primary';

-- Wrong passwords and codes, counted apart (decision 0007): survives a restart. A subject is `user <id>`, or
-- `login <text>` for a login that belongs to nobody.
CREATE TABLE failures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subject TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('password', 'code')),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX failures_by_subject ON failures (subject, kind, at);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- NULL is a platform domain, offered by the administrator.
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  -- Lower-case punycode, without port.
  host TEXT NOT NULL UNIQUE,
  redirect_root TEXT,
  redirect_404 TEXT,
  active INTEGER NOT NULL DEFAULT 0 CHECK (active IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  slug TEXT,
  public INTEGER NOT NULL DEFAULT 0 CHECK (public IN (0, 1)),
  domain_id INTEGER REFERENCES domains (id) ON DELETE SET NULL,
  views INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  UNIQUE (user_id, name_folded)
) STRICT;

CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  description TEXT,
  color TEXT,
  starred INTEGER NOT NULL DEFAULT 0 CHECK (starred IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE (user_id, name_folded)
) STRICT;

CREATE TABLE links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- NULL is the instance's own address.
  domain_id INTEGER REFERENCES domains (id) ON DELETE SET NULL,
  alias TEXT NOT NULL,
  url TEXT NOT NULL,
  title TEXT,
  description TEXT,
  note TEXT,
  type TEXT NOT NULL DEFAULT 'direct',
  password_hash TEXT,
  status TEXT NOT NULL DEFAULT 'public' CHECK (status IN ('public', 'private')),
  expires_at INTEGER,
  not_before_at INTEGER,
  click_limit INTEGER,
  expiration_url TEXT,
  redirect_status INTEGER NOT NULL DEFAULT 302 CHECK (redirect_status IN (301, 302, 307, 308)),
  forward_query INTEGER NOT NULL DEFAULT 0 CHECK (forward_query IN (0, 1)),
  archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
  locked INTEGER NOT NULL DEFAULT 0 CHECK (locked IN (0, 1)),
  -- JSON: [{conditions:[{type, op, value}], link}], in order; the first that matches wins.
  rules TEXT NOT NULL DEFAULT '[]',
  -- JSON: [{url, percentage}]
  abtesting TEXT NOT NULL DEFAULT '[]',
  -- JSON: [{name, value}]
  parameters TEXT NOT NULL DEFAULT '[]',
  -- JSON: {auto?, apple?, google?}
  deeplink TEXT,
  meta_title TEXT,
  meta_description TEXT,
  meta_image TEXT,
  -- JSON: [id]
  pixels TEXT NOT NULL DEFAULT '[]',
  campaign_id INTEGER REFERENCES campaigns (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  trashed_at INTEGER,
  -- Kept by the click log's catch-up; bots are not in them.
  clicks INTEGER NOT NULL DEFAULT 0,
  unique_clicks INTEGER NOT NULL DEFAULT 0,
  clicked_at INTEGER,
  -- How many clicks a limited link has answered, counted before each answer.
  limited_clicks INTEGER NOT NULL DEFAULT 0,
  -- Alias, title, destination and note, NFC and case folded: what a search looks at.
  search TEXT NOT NULL
) STRICT;
CREATE INDEX links_by_user ON links (user_id, trashed_at, created_at DESC, id DESC);
CREATE INDEX links_by_clicks ON links (user_id, trashed_at, clicks DESC, id DESC);
CREATE INDEX links_by_campaign ON links (campaign_id) WHERE campaign_id IS NOT NULL;
CREATE INDEX links_by_domain ON links (domain_id) WHERE domain_id IS NOT NULL;
CREATE INDEX links_by_url ON links (user_id, url);
CREATE INDEX links_trashed ON links (trashed_at) WHERE trashed_at IS NOT NULL;

-- Trigrams make a substring search of three characters or more an index look-up.
CREATE VIRTUAL TABLE links_search USING fts5 (
  search, content = 'links', content_rowid = 'id', tokenize = 'trigram case_sensitive 1', detail = full
);
CREATE TRIGGER links_search_insert AFTER INSERT ON links BEGIN
  INSERT INTO links_search (rowid, search) VALUES (new.id, new.search);
END;
CREATE TRIGGER links_search_delete AFTER DELETE ON links BEGIN
  INSERT INTO links_search (links_search, rowid, search) VALUES ('delete', old.id, old.search);
END;
CREATE TRIGGER links_search_update AFTER UPDATE OF search ON links WHEN old.search IS NOT new.search BEGIN
  INSERT INTO links_search (links_search, rowid, search) VALUES ('delete', old.id, old.search);
  INSERT INTO links_search (rowid, search) VALUES (new.id, new.search);
END;

-- Who answers on an address: links, files and bio pages share one name space per domain. domain_id 0 is the
-- instance's own address (a primary key cannot hold NULL). A trashed link has no row here: its alias is free.
CREATE TABLE aliases (
  domain_id INTEGER NOT NULL,
  alias TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('link', 'file', 'bio', 'qr')),
  target_id INTEGER NOT NULL,
  PRIMARY KEY (domain_id, alias)
) STRICT, WITHOUT ROWID;
CREATE INDEX aliases_by_target ON aliases (kind, target_id);

CREATE TABLE link_channels (
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
  PRIMARY KEY (channel_id, link_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_channels_by_link ON link_channels (link_id);

-- What was done to links, so that it can be undone: one change, one row per link with the fields it touched.
CREATE TABLE changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  action TEXT NOT NULL,
  at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;
CREATE TABLE changed_links (
  change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
  link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
  -- JSON objects with the columns that differ.
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  PRIMARY KEY (change_id, link_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX changed_links_by_link ON changed_links (link_id, change_id);

-- The words of the click log, each stored once: a click is then a row of small integers. Id 0 is the empty word.
CREATE TABLE words (
  id INTEGER PRIMARY KEY,
  word TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO words (id, word) VALUES (0, '');

-- The click log: appended to on the redirect path, before the answer goes out. No index but the rowid, so that a
-- commit touches the table's last page only; everything else is derived by the catch-up. No address is stored.
CREATE TABLE clicks (
  id INTEGER PRIMARY KEY,
  link_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- 52 bits of a hash with a salt that lives one day: "unique" means unique per day.
  visitor INTEGER NOT NULL,
  -- 0 link, 1 qr, 2 rotator, 3 bio, 4 api
  source INTEGER NOT NULL,
  -- Index of the rule that fired, or NULL.
  rule INTEGER,
  bot INTEGER NOT NULL,
  country INTEGER NOT NULL,
  region INTEGER NOT NULL,
  city INTEGER NOT NULL,
  referrer INTEGER NOT NULL,
  referrer_path INTEGER NOT NULL,
  browser INTEGER NOT NULL,
  os INTEGER NOT NULL,
  device INTEGER NOT NULL,
  language INTEGER NOT NULL,
  utm_source INTEGER NOT NULL,
  utm_medium INTEGER NOT NULL,
  utm_campaign INTEGER NOT NULL
) STRICT;

-- Derived from the click log, up to and including click `position` (one row, id 1).
CREATE TABLE rollup_position (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  position INTEGER NOT NULL
) STRICT;
INSERT INTO rollup_position (id, position) VALUES (1, 0);

-- Clicks per hour and dimension. scope 0: a link, scope 1: a user. dimension 0 is the total (word 0); the others are
-- numbered in server/visits/clicks/dimensions.ts, and word is then a word's id (for the dimension `link` a link's id). What
-- has no word has no row: it is the total less the rows there are. hour is hours since 1970, UTC.
CREATE TABLE rollups (
  scope INTEGER NOT NULL,
  scope_id INTEGER NOT NULL,
  dimension INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  word INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  unique_clicks INTEGER NOT NULL,
  bots INTEGER NOT NULL,
  PRIMARY KEY (scope, scope_id, dimension, hour, word)
) STRICT, WITHOUT ROWID;

-- Which visitor was seen where on which day (days since 1970, UTC). The day comes first: sweeping past days is then
-- a range at the table's beginning.
CREATE TABLE visitors (
  day INTEGER NOT NULL,
  scope INTEGER NOT NULL,
  scope_id INTEGER NOT NULL,
  visitor INTEGER NOT NULL,
  PRIMARY KEY (day, scope, scope_id, visitor)
) STRICT, WITHOUT ROWID;

-- The way from a link to its clicks, filled by the catch-up.
CREATE TABLE link_clicks (
  link_id INTEGER NOT NULL,
  click_id INTEGER NOT NULL,
  PRIMARY KEY (link_id, click_id)
) STRICT, WITHOUT ROWID;

-- Visits that found nothing: an unknown alias or a bare domain.
CREATE TABLE orphan_visits (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  domain_id INTEGER NOT NULL,
  path TEXT NOT NULL,
  referrer TEXT NOT NULL,
  bot INTEGER NOT NULL
) STRICT;

-- The salt of the visitor hash; only today's exists.
CREATE TABLE visitor_salt (
  day INTEGER PRIMARY KEY,
  salt BLOB NOT NULL
) STRICT;
