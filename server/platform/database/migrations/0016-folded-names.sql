-- Names are compared by full case folding (server/platform/text/case-fold.ts): what was only in lower case before is folded anew, where that
-- makes a difference. E-mail addresses are ASCII and stay as they are.

-- Two names of before may be the same now. Both rows stay: the second one's key gets its id, behind a line break that no
-- name has, until somebody gives it another name.
UPDATE OR IGNORE users SET username_folded = fold(username_folded) WHERE username_folded <> fold(username_folded);
UPDATE users SET username_folded = fold(username_folded) || char(10) || id WHERE username_folded <> fold(username_folded);
UPDATE OR IGNORE campaigns SET name_folded = fold(name_folded) WHERE name_folded <> fold(name_folded);
UPDATE campaigns SET name_folded = fold(name_folded) || char(10) || id WHERE name_folded <> fold(name_folded);
UPDATE OR IGNORE channels SET name_folded = fold(name_folded) WHERE name_folded <> fold(name_folded);
UPDATE channels SET name_folded = fold(name_folded) || char(10) || id WHERE name_folded <> fold(name_folded);

UPDATE links SET search = fold(search) WHERE search <> fold(search);
UPDATE files SET search = fold(search) WHERE search <> fold(search);
UPDATE bio_pages SET search = fold(search) WHERE search <> fold(search);
UPDATE qr_codes SET search = fold(search) WHERE search <> fold(search);
-- Deleted codes come back with this column as it was kept.
UPDATE removals SET content = json_set(content, '$.row.search', fold(content ->> '$.row.search'))
  WHERE resource = 'qr' AND content ->> '$.row.search' <> fold(content ->> '$.row.search');
