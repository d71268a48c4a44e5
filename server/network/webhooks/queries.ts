import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import type { DueWebhook } from './fair-shares.ts';

/**
 * The URL answered that it is gone, nothing was delivered for days, the secret cannot be decrypted, or its key may no
 * longer read all of its data.
 */
export type StopReason = 'gone' | 'failing' | 'locked' | 'key';

export interface WebhookRow {
  id: number;
  user_id: number;
  url: string;
  events: string;
  secret: string;
  enabled: number;
  stopped: StopReason | null;
  failing_since_at: number | null;
  created_at: number;
  /** The API key that last created or updated it; null for a person. */
  key_id: number | null;
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
}

export type NewWebhook = Pick<WebhookRow, 'user_id' | 'url' | 'events' | 'secret' | 'created_at' | 'key_id'>;
export type WebhookChange = Pick<WebhookRow, 'id' | 'url' | 'events' | 'secret' | 'enabled' | 'key_id'>;

export interface DeliveryRow {
  id: number;
  webhook_id: number;
  message: string;
  type: string;
  body: string;
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  next_at: number | null;
  status: number | null;
  duration: number | null;
  created_at: number;
}

/** What there is of a webhook: messages that wait, their bytes, and the bytes of all, kept by triggers. */
export interface MessageCounts {
  waiting: number;
  waitingBytes: number;
  bytes: number;
}

export interface EventRow {
  id: number;
  user_id: number;
  type: string;
  data: string;
}

export type Attempt = Pick<DeliveryRow, 'state' | 'attempts' | 'next_at' | 'status' | 'duration'>;

const columns = `id, user_id, url, events, secret, enabled, stopped, failing_since_at, created_at, key_id,
  version, created_by, updated_by`;
const deliveryColumns =
  'id, webhook_id, message, type, body, state, attempts, next_at, status, duration, created_at';

/** Deliveries deleted or cancelled per step; their bodies may be long. */
const rowsPerStep = 20;

const matches = `user_id = @user AND removed_at IS NULL
  AND (@member IS NULL OR ifnull(created_by, user_id) = @member)`;
const listSql = {
  rows: `SELECT ${columns} FROM webhooks WHERE ${matches} ORDER BY id DESC LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM webhooks WHERE ${matches}`,
};
const deliveriesSql = {
  rows: `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE webhook_id = @id ORDER BY id DESC LIMIT @limit OFFSET @offset`,
  total: 'SELECT count(*) AS total FROM webhook_deliveries WHERE webhook_id = @id',
};

/** The lists of webhooks and of what was sent to one, read in the reader's thread. */
export function webhookLists(reader: Reader) {
  return {
    list: (user: number, page: ListPage): Promise<Page<WebhookRow>> =>
      reader.page(listSql, { user, ...page }),
    deliveries: (id: number, page: { limit: number; offset: number }): Promise<Page<DeliveryRow>> =>
      reader.page(deliveriesSql, { id, ...page }),
  };
}

export type WebhookLists = ReturnType<typeof webhookLists>;

/** SQL of webhooks. Every statement that a path's id reaches carries the user's id. */
export function webhookQueries(database: Connection) {
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM webhooks WHERE user_id = ? AND removed_at IS NULL')
    .pluck();
  const byId = database.prepare<[number, number], WebhookRow>(
    `SELECT ${columns} FROM webhooks WHERE id = ? AND user_id = ? AND removed_at IS NULL`,
  );
  const any = database.prepare<[number], WebhookRow>(`SELECT ${columns} FROM webhooks WHERE id = ?`);
  const enabledOf = database.prepare<[number], WebhookRow>(
    `SELECT ${columns} FROM webhooks WHERE user_id = ? AND enabled = 1
       AND EXISTS (SELECT 1 FROM users WHERE users.id = webhooks.user_id AND active = 1)`,
  );
  const enabledBy = database.prepare<[number], WebhookRow>(
    `SELECT ${columns} FROM webhooks WHERE key_id = ? AND enabled = 1`,
  );
  const insert = database.prepare<[NewWebhook]>(
    `INSERT INTO webhooks (user_id, url, events, secret, created_at, key_id)
     VALUES (@user_id, @url, @events, @secret, @created_at, @key_id)`,
  );
  const update = database.prepare<[WebhookChange]>(
    `UPDATE webhooks SET url = @url, events = @events, secret = @secret, enabled = @enabled, key_id = @key_id,
       stopped = CASE WHEN @enabled = 1 THEN NULL ELSE stopped END,
       failing_since_at = CASE WHEN @enabled = 1 THEN NULL ELSE failing_since_at END
     WHERE id = @id`,
  );
  const markRemoved = database.prepare<[number, number]>(
    'UPDATE webhooks SET removed_at = ?, enabled = 0 WHERE id = ?',
  );
  const removed = database
    .prepare<[], number>('SELECT id FROM webhooks WHERE removed_at IS NOT NULL LIMIT 1')
    .pluck();
  const removeDeliveries = database.prepare<[number]>(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE webhook_id = ? LIMIT ${rowsPerStep})`,
  );
  const remove = database.prepare<[number]>('DELETE FROM webhooks WHERE id = ?');
  const noteFailing = database.prepare<[number, number]>(
    'UPDATE webhooks SET failing_since_at = coalesce(failing_since_at, ?) WHERE id = ?',
  );
  const noteArrived = database.prepare<[number]>(
    'UPDATE webhooks SET failing_since_at = NULL WHERE id = ? AND failing_since_at IS NOT NULL',
  );
  const stop = database.prepare<[string, number]>(
    'UPDATE webhooks SET enabled = 0, stopped = ? WHERE id = ?',
  );
  const offWithWaiting = database
    .prepare<[], number>(
      `SELECT id FROM webhooks WHERE enabled = 0 AND removed_at IS NULL AND EXISTS (
         SELECT 1 FROM webhook_deliveries WHERE webhook_id = webhooks.id AND state = 'waiting') LIMIT 1`,
    )
    .pluck();
  const giveUp = database.prepare<[number]>(
    `UPDATE webhook_deliveries SET state = 'failed', next_at = NULL WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND state = 'waiting' LIMIT ${rowsPerStep})`,
  );

  const nextEvent = database.prepare<[], EventRow>(
    'SELECT id, user_id, type, data FROM webhook_events ORDER BY id LIMIT 1',
  );
  const insertEvent = database.prepare<[number, string, string]>(
    'INSERT INTO webhook_events (user_id, type, data) VALUES (?, ?, ?)',
  );
  const dropEvent = database.prepare<[number]>('DELETE FROM webhook_events WHERE id = ?');

  const insertDelivery = database.prepare<[number, string, string, string, number, number]>(
    `INSERT INTO webhook_deliveries (webhook_id, message, type, body, state, next_at, created_at)
     VALUES (?, ?, ?, ?, 'waiting', ?, ?)`,
  );
  const counts = database.prepare<[number], MessageCounts>(
    'SELECT waiting, waiting_bytes AS waitingBytes, bytes FROM webhook_counts WHERE webhook_id = ?',
  );
  const removeOldest = database.prepare<[number, number]>(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND state <> 'waiting' ORDER BY id LIMIT ?)`,
  );
  // From one webhook to the next by the index, past all that wait for each.
  const due = database.prepare<[number], DueWebhook>(
    `WITH RECURSIVE waiting (id) AS (
       SELECT min(webhook_id) FROM webhook_deliveries WHERE state = 'waiting'
       UNION ALL
       SELECT (SELECT min(webhook_id) FROM webhook_deliveries WHERE state = 'waiting' AND webhook_id > waiting.id)
       FROM waiting WHERE waiting.id IS NOT NULL)
     SELECT webhooks.id, user_id, url, failing_since_at IS NOT NULL AS failing
     FROM waiting CROSS JOIN webhooks ON webhooks.id = waiting.id AND enabled = 1
     WHERE (SELECT min(next_at) FROM webhook_deliveries WHERE webhook_id = waiting.id AND state = 'waiting') <= ?
       AND EXISTS (SELECT 1 FROM users WHERE users.id = webhooks.user_id AND active = 1)`,
  );
  const dueOf = database.prepare<[number, number, number], DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE webhook_id = ? AND state = 'waiting' AND next_at <= ?
     ORDER BY next_at, id LIMIT ?`,
  );
  const attempted = database.prepare<[Attempt & { id: number; at: number }]>(
    `UPDATE webhook_deliveries SET state = @state, attempts = @attempts, next_at = @next_at, status = @status,
       duration = @duration, attempted_at = @at WHERE id = @id`,
  );
  const delivery = database.prepare<[number, number], DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE id = ? AND webhook_id = ?`,
  );
  const sweep = database.prepare<[number, number]>(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE created_at < ? AND state <> 'waiting' LIMIT ?)`,
  );
  const clickedLink = database.prepare<
    [number],
    { alias: string; domain: number | null; longurl: string; title: string | null }
  >('SELECT alias, domain_id AS domain, url AS longurl, title FROM links WHERE id = ?');
  const hostOf = database.prepare<[number], string>('SELECT host FROM domains WHERE id = ?').pluck();
  const watchers = database
    .prepare<[number], number>(
      `SELECT 1 FROM webhooks WHERE user_id = ? AND enabled = 1 AND (events LIKE '%"link.clicked"%' OR events LIKE '%"*"%')`,
    )
    .pluck();

  return {
    count: (user: number): number => count.get(user) ?? 0,
    find: (id: number, userId: number): WebhookRow | undefined => byId.get(id, userId),
    /** Whichever account it belongs to. */
    findAny: (id: number): WebhookRow | undefined => any.get(id),
    /** Those that are on; none of an account that was switched off. */
    enabledOf: (userId: number): WebhookRow[] => enabledOf.all(userId),
    /** Enabled ones created by a key. */
    enabledBy: (keyId: number): WebhookRow[] => enabledBy.all(keyId),
    insert: (row: NewWebhook): number => Number(insert.run(row).lastInsertRowid),
    update: (row: WebhookChange): void => void update.run(row),
    /** It is in no list any more, and nothing is sent to it; `clear` removes the rest. */
    markRemoved: (id: number, at: number): void => void markRemoved.run(at, id),
    noteFailing: (id: number, at: number): void => void noteFailing.run(at, id),
    noteArrived: (id: number): void => void noteArrived.run(id),
    /** Disables it with a reason; `clear` cancels its pending deliveries. */
    stop: (id: number, reason: StopReason): void => void stop.run(reason, id),
    /**
     * Deletes some data of deleted webhooks, and cancels some pending deliveries of disabled ones; false if there is
     * neither.
     */
    clear(): boolean {
      const gone = removed.get();
      if (gone !== undefined) {
        if (removeDeliveries.run(gone).changes < rowsPerStep) remove.run(gone);
        return true;
      }
      const off = offWithWaiting.get();
      return off !== undefined && giveUp.run(off).changes > 0;
    },

    /** What happened first of what is not yet made into messages. */
    nextEvent: (): EventRow | undefined => nextEvent.get(),
    insertEvent: (userId: number, type: string, data: string): void =>
      void insertEvent.run(userId, type, data),
    dropEvent: (id: number): void => void dropEvent.run(id),
    hearsClicks: (userId: number): boolean => watchers.get(userId) === 1,

    insertDelivery: (webhookId: number, message: string, type: string, body: string, at: number): number =>
      Number(insertDelivery.run(webhookId, message, type, body, at, at).lastInsertRowid),
    countsOf: (webhookId: number): MessageCounts =>
      counts.get(webhookId) ?? { waiting: 0, waitingBytes: 0, bytes: 0 },
    /** Removes the oldest of those that are over. */
    removeOldest: (webhookId: number, most: number): void => void removeOldest.run(webhookId, most),
    /** Webhooks with messages that are due; those of an account that was switched off wait. */
    due: (now: number): DueWebhook[] => due.all(now),
    /** The messages of a webhook that are due, the one that waits longest first. */
    dueOf: (webhookId: number, now: number, limit: number): DeliveryRow[] => dueOf.all(webhookId, now, limit),
    noteAttempt: (id: number, attempt: Attempt, at: number): void =>
      void attempted.run({ ...attempt, id, at }),
    findDelivery: (id: number, webhookId: number): DeliveryRow | undefined => delivery.get(id, webhookId),
    /** Removes old deliveries that are over, at most so many; returns how many. */
    sweep: (before: number, most: number): number => sweep.run(before, most).changes,
    /** The link's data in a message about clicks; undefined if it was permanently deleted. */
    findClickedLink: (id: number) => clickedLink.get(id),
    hostOf: (domainId: number): string | undefined => hostOf.get(domainId),
  };
}

export type WebhookQueries = ReturnType<typeof webhookQueries>;
