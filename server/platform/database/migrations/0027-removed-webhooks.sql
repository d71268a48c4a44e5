-- A webhook that was deleted: nothing is sent to it, and no list has it. The row stays until its log was removed, a slice at a
-- time. What waits for one that is switched off is given up in slices too.
ALTER TABLE webhooks ADD COLUMN removed_at INTEGER;
CREATE INDEX webhooks_removed ON webhooks (id) WHERE removed_at IS NOT NULL;
CREATE INDEX webhooks_off ON webhooks (id) WHERE enabled = 0;
