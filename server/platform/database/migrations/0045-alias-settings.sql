-- How aliases that nobody typed are made, as JSON (contract/aliases.ts); NULL for the default, or as the account has it.
ALTER TABLE users ADD COLUMN aliases TEXT;
ALTER TABLE domains ADD COLUMN aliases TEXT;
