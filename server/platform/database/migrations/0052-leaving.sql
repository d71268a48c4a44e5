-- What is on its way into the trash, some rows at a time, is in no list and on no page from the first of them on.
ALTER TABLE campaigns ADD COLUMN leaving INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN leaving INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pixels ADD COLUMN leaving INTEGER NOT NULL DEFAULT 0;
ALTER TABLE overlays ADD COLUMN leaving INTEGER NOT NULL DEFAULT 0;
ALTER TABLE splash_pages ADD COLUMN leaving INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bio_pages ADD COLUMN leaving INTEGER NOT NULL DEFAULT 0;
ALTER TABLE qr_codes ADD COLUMN leaving INTEGER NOT NULL DEFAULT 0;
UPDATE campaigns SET leaving = 1 WHERE id IN (SELECT record_id FROM removals WHERE resource = 'campaigns' AND state = 'leaving');
UPDATE channels SET leaving = 1 WHERE id IN (SELECT record_id FROM removals WHERE resource = 'channels' AND state = 'leaving');
UPDATE pixels SET leaving = 1 WHERE id IN (SELECT record_id FROM removals WHERE resource = 'pixels' AND state = 'leaving');
UPDATE overlays SET leaving = 1 WHERE id IN (SELECT record_id FROM removals WHERE resource = 'overlays' AND state = 'leaving');
UPDATE splash_pages SET leaving = 1 WHERE id IN (SELECT record_id FROM removals WHERE resource = 'splash' AND state = 'leaving');
UPDATE bio_pages SET leaving = 1 WHERE id IN (SELECT record_id FROM removals WHERE resource = 'bio' AND state = 'leaving');
UPDATE qr_codes SET leaving = 1 WHERE id IN (SELECT record_id FROM removals WHERE resource = 'qr' AND state = 'leaving');
