-- Branded domains that are checked, activated and given certificates (contract, "Branded domain synchronisation").

-- The bio page that the bare domain shows; exclusive with redirect_root.
ALTER TABLE domains ADD COLUMN bio_id INTEGER;
-- Switched off by its owner: never served until switched on again. `active` is what routing looks at.
ALTER TABLE domains ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1));
ALTER TABLE domains ADD COLUMN dns_type TEXT NOT NULL DEFAULT 'direct';
ALTER TABLE domains ADD COLUMN dns_status INTEGER NOT NULL DEFAULT 0 CHECK (dns_status IN (0, 1));
ALTER TABLE domains ADD COLUMN resolved_ip TEXT;
ALTER TABLE domains ADD COLUMN dns_checked_at INTEGER;
-- Failed checks in a row; 10 make the domain's status 0.
ALTER TABLE domains ADD COLUMN dns_failure_count INTEGER NOT NULL DEFAULT 0;
-- When the job looks at the domain again; NULL is now.
ALTER TABLE domains ADD COLUMN next_check_at INTEGER;
ALTER TABLE domains ADD COLUMN server_synced INTEGER NOT NULL DEFAULT 0 CHECK (server_synced IN (0, 1));
ALTER TABLE domains ADD COLUMN ssl_status INTEGER NOT NULL DEFAULT 0 CHECK (ssl_status IN (0, 1));
ALTER TABLE domains ADD COLUMN certificate_expires_at INTEGER;
-- Where the issuer keeps the certificate: asked once a day whether it was revoked.
ALTER TABLE domains ADD COLUMN certificate_url TEXT;
ALTER TABLE domains ADD COLUMN certificate_failure_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE domains ADD COLUMN next_certificate_at INTEGER;
CREATE INDEX domains_by_user ON domains (user_id, id DESC);

-- Which plans a platform domain is offered to; a platform domain without rows is offered to all.
CREATE TABLE domain_plans (
  domain_id INTEGER NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  plan_id INTEGER NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
  PRIMARY KEY (domain_id, plan_id)
) STRICT, WITHOUT ROWID;

-- Logo and favicon, made anew before they are stored; the token is part of their address.
CREATE TABLE domain_pictures (
  domain_id INTEGER NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('logo', 'favicon')),
  token TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg')),
  body BLOB NOT NULL,
  PRIMARY KEY (domain_id, kind)
) STRICT;

-- What happened to a domain; the timeline that its owner sees.
CREATE TABLE domain_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  domain_id INTEGER NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT;
CREATE INDEX domain_log_by_domain ON domain_log (domain_id, id);

-- Orders that were placed with the certificate authority: authorities limit them, so a restart must not forget.
CREATE TABLE certificate_orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX certificate_orders_by_time ON certificate_orders (at);
