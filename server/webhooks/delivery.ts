import type { Logger } from 'pino';
import type { Transactions } from '../database/transactions.ts';
import type { Fetcher } from '../fetcher/fetcher.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { Vault } from '../keys/vault.ts';
import type { DeliveryRow, EventRow, WebhookQueries, WebhookRow } from './queries.ts';
import { secretPurpose, signedHeaders } from './signature.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The pauses between the attempts, as Standard Webhooks advises: for two and a half days, ever less often. */
const pauses = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Nothing arrived for so long: whoever listened is not there any more. */
const failsFor = 5 * day;
/** How long the log is kept. */
const kept = 30 * day;
/** Deliveries under way at once, over all webhooks. */
const atOnce = 8;
const eventsPerStep = 500;
/** More than so many that wait for one webhook are not added to: it has long stopped to listen. */
const mostWaiting = 10_000;
const longestMs = 15 * second;

interface Options {
  queries: WebhookQueries;
  fetcher: Fetcher;
  vault: Vault;
  /** The public address of the instance, for the short links in messages. */
  baseUrl: () => string;
  now: () => number;
  monotonic: () => number;
  randomBytes: (size: number) => Buffer;
  transactions: Transactions;
  onChange: (userId: number, resource: string, ids: number[]) => void;
  log: Pick<Logger, 'error'>;
}

interface Outcome {
  delivered: boolean;
  /** HTTP status; null where there was no answer. */
  status: number | null;
  /** Milliseconds. */
  duration: number;
}

/** Clicks of links, as the log counts them. */
interface Clicked {
  userId: number;
  linkId: number;
  clickIds: readonly number[];
}

export interface WebhookDelivery {
  /** Looks for work soon; called after every change. */
  wake(): void;
  /** Tells webhooks that want it of clicks: one message a link and counted slice, with how many they were. */
  clicked(links: readonly Clicked[]): void;
  /** Sends a message of type `test` now. */
  test(webhook: WebhookRow): Promise<Outcome>;
  /** Repeats what did not arrive, and clears the log. */
  readonly job: Job;
  /** Waits for what is under way; nothing is begun any more. */
  stop(): Promise<void>;
}

/**
 * Brings what happened to where it is wanted. What happened is in the database before anything is sent, and stays there
 * until it arrived or was given up, so that a restart loses nothing; a message may come twice, with the same id.
 */
export function webhookDelivery(options: Options): WebhookDelivery {
  const { queries, fetcher, vault, now, monotonic, randomBytes, transactions, log } = options;
  const underWay = new Map<number, Promise<void>>();
  let isWoken = false;
  let isStopped = false;

  function wake(): void {
    if (isWoken || isStopped) return;
    isWoken = true;
    setImmediate(() => {
      isWoken = false;
      if (isStopped) return;
      try {
        pump();
      } catch (err) {
        log.error({ err }, 'webhooks could not be looked after');
      }
    });
  }

  /** Makes deliveries of what happened, and starts those that are due. */
  function pump(): void {
    const events = queries.events(eventsPerStep);
    const last = events.at(-1);
    if (last) {
      transactions.atomically(() => {
        for (const event of events) plan(event);
        queries.dropEvents(last.id);
      });
      if (events.length === eventsPerStep) wake();
    }
    const free = atOnce - underWay.size;
    if (free <= 0) return;
    const due = queries.due(now(), free + underWay.size).filter(({ id }) => !underWay.has(id));
    for (const delivery of due.slice(0, free)) begin(delivery);
  }

  function plan(event: EventRow): void {
    const wanting = queries
      .enabledOf(event.user_id)
      .filter(({ events }) =>
        (JSON.parse(events) as string[]).some((name) => name === '*' || name === event.type),
      );
    if (wanting.length === 0) return;
    const body = messageBody(event.type, withAddress(JSON.parse(event.data) as Record<string, unknown>));
    for (const { id } of wanting) {
      if (queries.countWaiting(id) < mostWaiting)
        queries.insertDelivery(id, newMessageId(), event.type, body, now());
    }
  }

  /** Ids of domains become hosts, and aliases addresses: what a reader elsewhere can use. */
  function withAddress({ domain, ...data }: Record<string, unknown>): Record<string, unknown> {
    if (typeof data.alias !== 'string') return data;
    const host = typeof domain === 'number' ? queries.hostOf(domain) : undefined;
    const base = host ? `https://${host}` : options.baseUrl();
    return { ...data, shorturl: `${base}/${encodeURIComponent(data.alias)}` };
  }

  function messageBody(type: string, data: Record<string, unknown>): string {
    return JSON.stringify({ type, timestamp: new Date(now()).toISOString(), data });
  }

  const newMessageId = () => `msg_${randomBytes(18).toString('base64url')}`;

  function begin(delivery: DeliveryRow): void {
    const work = attempt(delivery)
      .catch((err) => log.error({ err }, 'a webhook could not be delivered'))
      .finally(() => {
        underWay.delete(delivery.id);
        wake();
      });
    underWay.set(delivery.id, work);
  }

  async function attempt(delivery: DeliveryRow): Promise<void> {
    const webhook = queries.findAny(delivery.webhook_id);
    if (!webhook || webhook.enabled === 0) return queries.giveUp(delivery.webhook_id);
    const outcome = await send(webhook, delivery.message, delivery.body);
    // It may have been deleted meanwhile, and its log with it: these then change nothing.
    transactions.atomically(() => note(webhook, delivery, outcome));
    options.onChange(webhook.user_id, 'webhooks', [webhook.id]);
  }

  function note(webhook: WebhookRow, delivery: DeliveryRow, { delivered, status, duration }: Outcome): void {
    const attempts = delivery.attempts + 1;
    const pause = pauses[attempts - 1];
    const isOver = delivered || pause === undefined;
    const state = delivered ? 'delivered' : isOver ? 'failed' : 'waiting';
    const next_at = isOver ? null : now() + pause;
    queries.noteAttempt(delivery.id, { state, attempts, next_at, status, duration }, now());
    if (delivered) {
      queries.noteArrived(webhook.id);
      return;
    }
    queries.noteFailing(webhook.id, now());
    if (status === 410) queries.stop(webhook.id, 'gone');
    else if (webhook.failing_since_at !== null && now() - webhook.failing_since_at > failsFor) {
      queries.stop(webhook.id, 'failing');
    }
  }

  async function send(webhook: WebhookRow, message: string, body: string): Promise<Outcome> {
    const started = monotonic();
    const took = () => Math.max(0, Math.round(monotonic() - started));
    const secret = vault.open(webhook.secret, secretPurpose(webhook.user_id));
    // Sealed with another key: the data folder was put together from two. Saying so is up to the log.
    if (secret === undefined) throw new Error(`the secret of webhook ${webhook.id} cannot be opened`);
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(secret, message, Math.floor(now() / 1000), body),
    };
    const status = await fetcher.post(webhook.url, { headers, body, totalMs: longestMs });
    return {
      delivered: status !== undefined && status >= 200 && status < 300,
      status: status ?? null,
      duration: took(),
    };
  }

  return {
    wake,

    clicked(links) {
      let isHeard = false;
      for (const { userId, linkId, clickIds } of links) {
        if (!queries.hearsClicks(userId)) continue;
        const link = queries.findClickedLink(linkId);
        if (!link) continue;
        isHeard = true;
        queries.insertEvent(
          userId,
          'link.clicked',
          JSON.stringify({ id: linkId, ...link, count: clickIds.length }),
        );
      }
      if (isHeard) wake();
    },

    async test(webhook) {
      const message = newMessageId();
      const body = messageBody('test', { id: webhook.id, url: webhook.url });
      const outcome = await send(webhook, message, body);
      const id = queries.insertDelivery(webhook.id, message, 'test', body, now());
      const { status, duration, delivered } = outcome;
      queries.noteAttempt(
        id,
        { state: delivered ? 'delivered' : 'failed', attempts: 1, next_at: null, status, duration },
        now(),
      );
      return outcome;
    },

    job: {
      name: 'webhooks',
      intervalMs: () => 5 * second,
      firstMs: second,
      run() {
        wake();
        queries.sweep(now() - kept, eventsPerStep);
      },
    },

    async stop() {
      isStopped = true;
      await Promise.all(underWay.values());
    },
  };
}
