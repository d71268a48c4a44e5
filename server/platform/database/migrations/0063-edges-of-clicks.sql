-- The name of the edge of a fleet that answered a click; 0 for the origin. Most instances have no fleet, so it lies beside the log.
ALTER TABLE click_marks ADD COLUMN edge INTEGER NOT NULL DEFAULT 0;
