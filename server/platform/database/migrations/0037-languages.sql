-- The language in which a person reads the app, by its tag; empty follows the browser or the system.
ALTER TABLE users ADD COLUMN language TEXT NOT NULL DEFAULT '';
