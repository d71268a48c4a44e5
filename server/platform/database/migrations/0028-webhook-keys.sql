-- The API key by which a webhook was last made or led elsewhere: what the key may not hear any more, the webhook is not told.
-- NULL where a person did it, by a session. No foreign key: a key that was revoked is to be missed.
ALTER TABLE webhooks ADD COLUMN key_id INTEGER;
CREATE INDEX webhooks_by_key ON webhooks (key_id) WHERE key_id IS NOT NULL;
