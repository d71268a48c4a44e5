-- Filters of statistics count single clicks, whose columns are kept in memory. When clicks leave the log, or links go to another
-- account, `log_version` grows, and what was read before is read anew.
ALTER TABLE rollup_position ADD COLUMN log_version INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER clicks_leave_log AFTER DELETE ON clicks BEGIN
  UPDATE rollup_position SET log_version = log_version + 1 WHERE id = 1;
END;
CREATE TRIGGER links_change_log AFTER UPDATE OF user_id ON links WHEN old.user_id <> new.user_id BEGIN
  UPDATE rollup_position SET log_version = log_version + 1 WHERE id = 1;
END;
