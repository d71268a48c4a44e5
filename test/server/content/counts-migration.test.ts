import { expect, test } from 'vitest';
import { findCountFaults } from '../../../server/content/links/count-faults.ts';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { applyMigrations } from '../../../server/platform/database/migrate.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';

test('an upgrade counts existing links and clicks', () => {
  const version = migrations.find(({ name }) => name.includes('counted-lists'))?.version ?? 0;
  const connection = openInMemory(migrations.filter((migration) => migration.version < version));
  connection.exec(
    `INSERT INTO users (id, email, email_folded, username, username_folded, password_hash, plan_id, registered_at, timezone)
       VALUES (1, 'a@example.com', 'a@example.com', 'anna', 'anna', 'none', 2, 0, 'UTC');
     INSERT INTO campaigns (id, user_id, name, name_folded, created_at) VALUES (1, 1, 'One', 'one', 0), (2, 1, 'Two', 'two', 0);
     INSERT INTO channels (id, user_id, name, name_folded, created_at) VALUES (1, 1, 'One', 'one', 0);
     INSERT INTO links (id, user_id, alias, url, campaign_id, clicks, created_at, updated_at, trashed_at, search) VALUES
       (1, 1, 'a', 'https://example.com/', 1, 5, 10, 10, NULL, 'a'), (2, 1, 'b', 'https://example.com/', 1, 7, 20, 20, 30, 'b'),
       (3, 1, 'c', 'https://example.com/', 2, 2, 20, 20, NULL, 'c');
     INSERT INTO link_channels (channel_id, link_id) VALUES (1, 1), (1, 2);
     INSERT INTO forgotten_clicks (link_id, clicks, bots) VALUES (1, 2, 0);`,
  );
  applyMigrations(
    connection,
    migrations.filter((migration) => migration.version >= version),
  );
  expect(findCountFaults(connection)).toEqual([]);
  expect(connection.prepare('SELECT live, trashed FROM link_counts').get()).toEqual({ live: 2, trashed: 1 });
  expect(connection.prepare('SELECT clicks FROM click_counts').pluck().get()).toBe(5);
  // Retention and deletion go on from there.
  connection.exec('UPDATE forgotten_clicks SET clicks = 3; UPDATE links SET trashed_at = 1 WHERE id = 3');
  expect(connection.prepare('SELECT clicks FROM click_counts').pluck().get()).toBe(2);
  connection.exec('DELETE FROM links WHERE id = 1; DELETE FROM campaigns WHERE id = 2; DELETE FROM channels');
  expect(findCountFaults(connection)).toEqual([]);
  connection.exec('DELETE FROM users');
  expect(connection.prepare('SELECT count(*) FROM link_counts').pluck().get()).toBe(0);
  connection.close();
});
