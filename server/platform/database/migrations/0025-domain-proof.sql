-- Branded domains are used once it is proved whose they are (server/network/domains/proof.ts).

-- When the claim of a domain lapses that nobody has proved yet; NULL once it is proved. Domains that work already count as
-- proved, and what waits gets the same week as a new claim.
ALTER TABLE domains ADD COLUMN lapses_at INTEGER;
UPDATE domains SET lapses_at = (unixepoch() + 7 * 86400) * 1000 WHERE server_synced = 0 AND active = 0;
-- Looks for a proof that found none.
ALTER TABLE domains ADD COLUMN proof_failure_count INTEGER NOT NULL DEFAULT 0;

-- What the tokens of all claims are made with. They can be told before a domain is added, and are others for each account.
CREATE TABLE domain_proof_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL
) STRICT;
INSERT INTO domain_proof_key (id, key) VALUES (1, randomblob(32));

-- Whose domain a certificate was ordered for; NULL for platform domains and the instance's own address. Not a reference:
-- what a deleted account ordered counts on.
ALTER TABLE certificate_orders ADD COLUMN user_id INTEGER;
