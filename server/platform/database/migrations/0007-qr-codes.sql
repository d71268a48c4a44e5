-- QR codes. Their addresses stand below /qr/ and share no name space with links. data and style are JSON: validated by
-- type when written, read whole.
CREATE TABLE qr_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- One name space for the whole instance, domains included: a code that loses its domain keeps its alias.
  alias TEXT NOT NULL UNIQUE,
  -- NULL is the instance's own address.
  domain_id INTEGER REFERENCES domains (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('link', 'text', 'vcard', 'email', 'phone', 'sms', 'wifi', 'event', 'geo')),
  data TEXT NOT NULL,
  -- The link that a code of type link leads to; NULL when it leads to an address, or its link is gone.
  link_id INTEGER REFERENCES links (id) ON DELETE SET NULL,
  dynamic INTEGER NOT NULL CHECK (dynamic IN (0, 1)),
  style TEXT NOT NULL,
  -- The logo's address, or a data: address of what was sent; logo_image is our own PNG of it.
  logo TEXT,
  logo_image BLOB,
  -- Name and content, NFC and case folded: what a search looks at.
  search TEXT NOT NULL,
  scans INTEGER NOT NULL DEFAULT 0,
  scanned_at INTEGER,
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX qr_codes_by_user ON qr_codes (user_id, id DESC);
CREATE INDEX qr_codes_by_link ON qr_codes (link_id) WHERE link_id IS NOT NULL;
CREATE INDEX qr_codes_by_domain ON qr_codes (domain_id) WHERE domain_id IS NOT NULL;

-- However a code goes (by its owner, or with the account), channels hold it no longer.
CREATE TRIGGER qr_codes_leave_channels AFTER DELETE ON qr_codes BEGIN
  DELETE FROM channel_items WHERE type = 'qr' AND item_id = old.id;
END;

-- Scans per day (days since 1970, UTC).
CREATE TABLE qr_scans (
  qr_id INTEGER NOT NULL REFERENCES qr_codes (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  scans INTEGER NOT NULL,
  PRIMARY KEY (qr_id, day)
) STRICT, WITHOUT ROWID;
