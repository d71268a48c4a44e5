-- An edge may sign in at the engine as a user of its own: its public key, and when the engine was told to let it in no more.
ALTER TABLE fleet_edges ADD COLUMN user_key TEXT;
ALTER TABLE fleet_edges ADD COLUMN cut_off_at INTEGER;
