-- An account that was deleted: nobody can sign in, nothing of it answers, and its names and aliases can be taken. The row
-- stays until everything that belonged to it was removed, a slice at a time.
ALTER TABLE users ADD COLUMN removed_at INTEGER;
CREATE INDEX users_removed ON users (id) WHERE removed_at IS NOT NULL;
