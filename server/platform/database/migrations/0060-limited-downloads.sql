-- Downloads of a file while it has a limit are counted for themselves, as all machines of a fleet count them together; those before
-- it had one are what its limit is lower by.
ALTER TABLE files ADD COLUMN limited_downloads INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN free_downloads INTEGER NOT NULL DEFAULT 0;
UPDATE files SET free_downloads = downloads;
