-- When the person of a session proved who they are. NULL is when the session began; one that was approved by another session
-- has that one's moment, since nobody proved anything again.
ALTER TABLE keys ADD COLUMN signed_in_at INTEGER;
