-- What an entry of the activity log is about, where that is what was done to records of an account; NULL for security.
ALTER TABLE audit ADD COLUMN kind TEXT;
-- The record; NULL where it was about several.
ALTER TABLE audit ADD COLUMN record INTEGER;

-- Each list is read from its newest entry on in an index of its own: everybody's, an account's, somebody's and a member's,
-- each by action, and what is security apart from what is not. The kind comes along, so that entries are counted unread.
DROP INDEX audit_by_user;
DROP INDEX audit_by_actor;
CREATE INDEX audit_actions ON audit (action, id);
CREATE INDEX audit_security ON audit (id, kind) WHERE kind IS NULL;
CREATE INDEX audit_records ON audit (id, kind) WHERE kind IS NOT NULL;
CREATE INDEX audit_user_actions ON audit (user_id, action, id);
CREATE INDEX audit_user_security ON audit (user_id, id, kind) WHERE kind IS NULL;
CREATE INDEX audit_user_records ON audit (user_id, id, kind) WHERE kind IS NOT NULL;
CREATE INDEX audit_actor_actions ON audit (actor_id, action, id);
CREATE INDEX audit_actor_security ON audit (actor_id, id, kind) WHERE kind IS NULL;
CREATE INDEX audit_actor_records ON audit (actor_id, id, kind) WHERE kind IS NOT NULL;
-- What people did in an account that is not their own.
CREATE INDEX audit_member_actions ON audit (user_id, actor_id, action, id) WHERE actor_id IS NOT user_id;
CREATE INDEX audit_member_security ON audit (user_id, actor_id, id, kind) WHERE actor_id IS NOT user_id AND kind IS NULL;
CREATE INDEX audit_member_records ON audit (user_id, actor_id, id, kind) WHERE actor_id IS NOT user_id AND kind IS NOT NULL;
CREATE INDEX audit_by_record ON audit (record, id) WHERE record IS NOT NULL;
