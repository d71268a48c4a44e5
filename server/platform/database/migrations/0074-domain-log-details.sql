-- The facts behind an entry's message, so that the app can say them in each language (`StoredDetails`, as JSON). Earlier
-- entries have a message only.
ALTER TABLE domain_log ADD COLUMN details TEXT;
