import { expect, test } from 'vitest';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { applyMigrations } from '../../../server/platform/database/migrate.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';

test('an address from before the update is verified only if it is known that somebody else set it', () => {
  const version = 72;
  const connection = openInMemory(migrations.filter((migration) => migration.version < version));
  const insert = connection.prepare(
    `INSERT INTO users (email, email_folded, username, username_folded, password_hash, plan_id, registered_at, timezone, admin)
     VALUES (@email, @email, @name, @name, @hash, 2, 0, 'UTC', @admin)`,
  );
  function person(name: string, { admin = 0, hash = 'x' } = {}): number {
    return Number(insert.run({ name, email: `${name}@example.com`, admin, hash }).lastInsertRowid);
  }
  const log = connection.prepare(
    "INSERT INTO audit (at, action, user_id, actor, key_name, address) VALUES (0, ?, ?, '', '', '')",
  );
  const invite = connection.prepare(
    `INSERT INTO invitations (hash, email, email_folded, created_at, expires_at, used_at, used_by)
     VALUES (randomblob(32), @email, @email, 0, 1, 1, @id)`,
  );
  person('administrator', { admin: 1 });
  for (const name of ['added', 'changed']) log.run('user.added', person(name));
  log.run('account.email', person('unknown'));
  connection.exec(
    "INSERT INTO audit (at, action, user_id, actor, key_name, address) SELECT 1, 'account.email', id, '', '', '' FROM users WHERE username = 'changed'",
  );
  log.run('user.registered', person('registered'));
  invite.run({ id: person('invited'), email: 'invited@example.com' });
  invite.run({ id: person('invited-elsewhere'), email: 'other@example.com' });
  invite.run({ id: person('invited-by-link'), email: null });
  for (const [name, hash] of [
    ['provided', ''],
    ['linked', 'x'],
  ] as const) {
    connection
      .prepare(
        "INSERT INTO identities (user_id, issuer, subject, label, created_at) VALUES (?, 'i', ?, '', 0)",
      )
      .run(person(name, { hash }), name);
  }
  // Entries about people who are gone name nobody.
  log.run('user.added', null);
  applyMigrations(
    connection,
    migrations.filter((migration) => migration.version >= version),
  );
  const counted = connection
    .prepare('SELECT username FROM users WHERE verified = 1 ORDER BY id')
    .pluck()
    .all();
  expect(counted).toEqual(['administrator', 'added', 'invited', 'provided']);
  connection.close();
});
