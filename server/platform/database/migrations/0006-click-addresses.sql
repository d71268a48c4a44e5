-- The visitor's address, stored with a click only where the instance says so (`privacy.storeAddresses`); the index has
-- those clicks alone, so that a log without addresses pays nothing for it, and the addresses can be found to be deleted.
ALTER TABLE clicks ADD COLUMN address TEXT;
CREATE INDEX clicks_with_address ON clicks (id) WHERE address IS NOT NULL;

-- Clicks that were deleted from the log because of their age, though their figures stay in the rollups: what the log
-- still has is the difference.
CREATE TABLE forgotten_clicks (
  link_id INTEGER PRIMARY KEY REFERENCES links (id) ON DELETE CASCADE,
  clicks INTEGER NOT NULL,
  bots INTEGER NOT NULL
) STRICT;
