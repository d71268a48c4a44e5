-- Clicks are counted in batches that are written in many small transactions. `batch_end` is the last click of the batch that
-- is being written (0: none is), and done_… the last piece of it that is in the tables: scope 0 and a link, scope 1 and a user with the
-- hour and the dimension and word, scope 2 when all figures are there. A crash goes on after it.
ALTER TABLE rollup_position ADD COLUMN batch_end INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rollup_position ADD COLUMN done_scope INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rollup_position ADD COLUMN done_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rollup_position ADD COLUMN done_hour INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rollup_position ADD COLUMN done_key INTEGER NOT NULL DEFAULT 0;
