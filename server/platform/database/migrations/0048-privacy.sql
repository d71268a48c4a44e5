-- What is not kept of visits to what an account has, as bits (server/visits/clicks/omissions.ts).
ALTER TABLE users ADD COLUMN privacy INTEGER NOT NULL DEFAULT 0;
