-- The apps that open the links of a domain (JSON; NULL where there are none): what the domain tells Apple's and Google's
-- systems about them under /.well-known.
ALTER TABLE domains ADD COLUMN apps TEXT;
