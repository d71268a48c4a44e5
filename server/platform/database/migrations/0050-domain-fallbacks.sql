-- Where links of a domain lead that have ended, or have not begun, and say nothing themselves.
ALTER TABLE domains ADD COLUMN redirect_expired TEXT;
ALTER TABLE domains ADD COLUMN redirect_early TEXT;
