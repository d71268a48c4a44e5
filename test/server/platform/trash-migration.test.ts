import { expect, test } from 'vitest';
import { pictureQueries } from '../../../server/content/pictures/queries.ts';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { applyMigrations } from '../../../server/platform/database/migrate.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { trashQueries } from '../../../server/platform/trash/queries.ts';

test('what was deleted before pages could be restored can still be restored, and pictures stay visible', () => {
  const version = 15;
  const connection = openInMemory(migrations.filter((migration) => migration.version < version));
  connection.exec(
    `INSERT INTO users (id, email, email_folded, username, username_folded, password_hash, plan_id, registered_at, timezone)
       VALUES (1, 'a@example.com', 'a@example.com', 'anna', 'anna', 'none', 2, 0, 'UTC');
     INSERT INTO removals (resource, record_id, user_id, content, removed_at)
       VALUES ('pixels', 7, 1, '{"row":{"id":7},"links":[1]}', 1000);
     INSERT INTO splash_pages (user_id, name, avatar, counter, created_at)
       VALUES (1, 'Page', 'https://example.com/a.png', 5, 0);
     INSERT INTO page_pictures (user_id, url, token, type, body)
       VALUES (1, 'https://example.com/a.png', 'one', 'image/png', x'00'),
              (1, 'https://example.com/old.png', 'two', 'image/png', x'00');`,
  );
  applyMigrations(
    connection,
    migrations.filter((migration) => migration.version >= version),
  );
  const trash = trashQueries(connection);
  expect(trash.find('pixels', 7, 1, 0)).toBe('{"row":{"id":7}}');
  expect(connection.prepare('SELECT source, content FROM trash_parts').all()).toEqual([
    { source: 'links', content: '[[1,1]]' },
  ]);
  expect(trash.listBefore(1001, 5)).toEqual([{ resource: 'pixels', id: 7, userId: 1 }]);
  const shown = connection.prepare('SELECT url, shown FROM page_pictures ORDER BY token');
  expect(shown.all()).toMatchObject([{ shown: 1 }, { shown: 1 }]);
  pictureQueries(connection).sweep(1);
  expect(shown.all()).toEqual([{ url: 'https://example.com/a.png', shown: 1 }]);
  connection.exec('DELETE FROM users');
  expect(connection.prepare('SELECT count(*) FROM removals').pluck().get()).toBe(0);
  connection.close();
});
