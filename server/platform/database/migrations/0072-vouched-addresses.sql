-- Until now, every address counted as its person's. It stays so where somebody else is known to have said it: an
-- administrator, who made the account, invited that address or is the person, or the provider that made it.
CREATE TEMP TABLE vouched_users AS
  SELECT id FROM users WHERE admin = 1
  UNION SELECT user_id FROM audit WHERE action = 'user.added'
  UNION SELECT used_by FROM invitations JOIN users ON users.id = used_by
    WHERE invitations.email_folded = users.email_folded
  UNION SELECT user_id FROM identities JOIN users ON users.id = user_id WHERE password_hash = ''
  EXCEPT SELECT user_id FROM audit WHERE action = 'account.email';
UPDATE users SET verified = 0
WHERE kind = 'person' AND id NOT IN (SELECT id FROM vouched_users WHERE id IS NOT NULL);
DROP TABLE vouched_users;
