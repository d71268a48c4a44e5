-- How much that each person created lies in the trash, and which of it was deleted first.
CREATE INDEX removals_by_creator ON removals (resource, user_id, ifnull(created_by, user_id), removed_at);
CREATE INDEX links_trash_by_creator ON links (user_id, ifnull(created_by, user_id), trashed_at) WHERE trashed_at IS NOT NULL;
