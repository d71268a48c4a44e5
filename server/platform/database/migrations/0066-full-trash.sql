-- How many deleted records of a kind an account has is asked for at each deletion.
CREATE INDEX removals_by_account ON removals (user_id, resource, removed_at);
