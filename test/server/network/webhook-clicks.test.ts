import { expect, test, vi } from 'vitest';
import { type WebhookDelivery, webhookDelivery } from '../../../server/network/webhooks/delivery.ts';
import { webhookQueries } from '../../../server/network/webhooks/queries.ts';
import { type Connection, openInMemory } from '../../../server/platform/database/connect.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import type { Fetcher } from '../../../server/platform/fetcher/fetcher.ts';
import { vault } from '../../../server/platform/vault.ts';

/** A database with an account that has a webhook for `events`, and 40 links. */
function databaseWithWebhook(events: string): Connection {
  const database = openInMemory(migrations);
  database.exec(`
    INSERT INTO users (id, email, email_folded, username, username_folded, password_hash, plan_id, registered_at, timezone)
    VALUES (1, 'a', 'a', 'a', 'a', 'x', 2, 0, 'UTC');
    INSERT INTO webhooks (user_id, url, events, secret, created_at)
    VALUES (1, 'https://hook.example/', '["${events}"]', 'x', 0)`);
  const addLink = database.prepare(
    "INSERT INTO links (id, user_id, alias, url, created_at, updated_at, search) VALUES (?, 1, ?, 'https://example.com/', 0, 0, '')",
  );
  for (let id = 1; id <= 40; id += 1) addLink.run(id, `l${id}`);
  // Events of the links themselves.
  database.exec('DELETE FROM webhook_events');
  return database;
}

type Options = Parameters<typeof webhookDelivery>[0];

function deliveryOf(database: Connection, also: Partial<Options> = {}): WebhookDelivery {
  return webhookDelivery({
    queries: webhookQueries(database),
    mayHear: () => true,
    fetcher: { post: async () => 204 } as Partial<Fetcher> as Fetcher,
    vault: vault(Buffer.alloc(32)),
    baseUrl: () => 'https://go.example',
    now: () => 0,
    monotonic: () => 0,
    randomBytes: (size) => Buffer.alloc(size),
    transactions: transactions(database),
    wakeClearing: async () => {},
    wakePlanning: async () => {},
    changes: { publish: () => {} },
    log: { error: () => {} },
    ...also,
  });
}

test('messages are planned only when something happened that a webhook may hear about', async () => {
  const database = databaseWithWebhook('*');
  const wakePlanning = vi.fn(async () => {});
  const delivery = deliveryOf(database, { wakePlanning });
  delivery.happened();
  expect(wakePlanning).not.toHaveBeenCalled();
  database.exec("UPDATE links SET title = 'New' WHERE id = 7");
  delivery.happened();
  expect(wakePlanning).toHaveBeenCalledOnce();
  await delivery.stop();
});

test('links whose clicks were counted together are reported in one commit, for which no redirect waits', async () => {
  const database = databaseWithWebhook('link.clicked');
  const queries = webhookQueries(database);
  const levels: unknown[] = [];
  let commits = 0;
  const delivery = deliveryOf(database, {
    queries: {
      ...queries,
      insertEvent(...event) {
        levels.push(database.inTransaction && database.pragma('synchronous', { simple: true }));
        queries.insertEvent(...event);
      },
    },
    transactions: transactions(database, {
      afterCommit() {
        commits += 1;
      },
    }),
  });
  delivery.clicked(Array.from({ length: 40 }, (_, index) => ({ userId: 1, linkId: index + 1, count: 2 })));
  await delivery.stop();
  // 1 is NORMAL: a power cut may take them, as it may take the clicks.
  expect(levels).toEqual(Array(40).fill(1));
  expect(commits).toBe(1);
  const events = database.prepare("SELECT data FROM webhook_events WHERE type = 'link.clicked'").pluck();
  expect(events.all()).toHaveLength(40);
  expect(JSON.parse(String(events.get()))).toMatchObject({
    id: 1,
    count: 2,
    longurl: 'https://example.com/',
  });
});
