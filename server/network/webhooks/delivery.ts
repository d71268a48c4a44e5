import type { Logger } from 'pino';
import { purposes } from '../../identity/keys/purposes.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { Refusal, rejected } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import type { Vault } from '../../platform/vault.ts';
import { type DueWebhook, fairShares } from './fair-shares.ts';
import { messageBody, newMessageId } from './messages.ts';
import { deliveryPlanner } from './planner.ts';
import type { DeliveryRow, EventRow, StopReason, WebhookQueries, WebhookRow } from './queries.ts';
import { signedHeaders } from './signature.ts';

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

/** Without a delivery for this long, the receiver is assumed to be gone. */
const failsFor = 5 * day;
/** How long the log is kept. */
const kept = 30 * day;
const rowsPerSweep = 100;
const longestMs = 15 * second;
/** Messages are begun in one turn of the event loop until this has passed: redirects come in between. */
const turnMs = 2;
/** How long shutdown waits for deliveries in progress. */
const lastMs = 2 * second;

const lockedSentence =
  'The secret of this webhook cannot be decrypted on this server. Set a new secret, and update it where signatures are verified.';

interface Options {
  queries: WebhookQueries;
  /** Whether the key that created a webhook may still read the webhook's data. */
  mayHear: (webhook: WebhookRow) => boolean;
  fetcher: Fetcher;
  vault: Vault;
  /** The public address of the instance, for the short links in messages. */
  baseUrl: () => string;
  now: () => number;
  monotonic: () => number;
  randomBytes: (size: number) => Buffer;
  transactions: Transactions;
  /** Call it when a webhook's pending deliveries should be cancelled. */
  wakeClearing: () => Promise<void>;
  /** To be called when something happened: takes `planStep` until nothing is left. */
  wakePlanning: () => Promise<void>;
  changes: Pick<Changes, 'publish'>;
  log: Pick<Logger, 'error'>;
}

export interface Outcome {
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
  count: number;
}

export interface WebhookDelivery {
  /** Something happened, and the database knows what; called after every change. */
  happened(): void;
  /** Makes messages of one thing that happened, in a slice of its own; false when there is none. */
  planStep(): boolean;
  /** Looks for messages that are due, soon. */
  wake(): void;
  /** A key was revoked or restricted: webhooks that it created and whose data it may no longer read are disabled. */
  keyChanged(keyId: number): void;
  /** Notifies webhooks of clicks: one message per link and counted slice, with their number. */
  clicked(links: readonly Clicked[]): void;
  /**
   * Sends a message of type `test` now. Throws 400 `webhook_locked` if the secret cannot be decrypted, or 503 if the
   * server is fetching too much.
   */
  test(webhook: WebhookRow): Promise<Outcome>;
  /** Repeats what did not arrive, and clears the log. */
  readonly job: Job;
  /** Waits for deliveries in progress, for two seconds by default; no others are started. */
  stop(): Promise<void>;
}

/**
 * Delivers events to webhooks. An event is in the database before anything is sent, and stays there until it was
 * delivered or cancelled, so that a restart loses nothing; a message may arrive twice, with the same id.
 */
export function webhookDelivery(options: Options): WebhookDelivery {
  const { queries, mayHear, fetcher, vault, now, monotonic, randomBytes, transactions, log } = options;
  const plan = deliveryPlanner({ ...options, stop });
  const underWay = new Map<number, Promise<void>>();
  /** Deliveries whose attempt could not be written down (a full disk): they rest until the job comes round. */
  const unnoted = new Set<number>();
  /** Aborts when the server ends. */
  const ending = new AbortController();
  const shares = fairShares();
  /** Webhooks that may have messages that are due. */
  let due = new Map<number, DueWebhook>();
  /** Whether others may have some as well: after a start, a pause, or by hand. */
  let isAnyDue = true;
  /** Where nothing arrived twice in a row: what waits there rests until the job comes round. */
  const resting = new Set<number>();
  /** Whether the fetcher had no room for a message: all wait until the job comes round. */
  let isFetcherFull = false;
  let sweptAt: number | undefined;
  let isWoken = false;
  let isStopped = false;

  /** Disables a webhook; its pending deliveries are cancelled in slices. */
  function stop(id: number, reason: StopReason): void {
    queries.stop(id, reason);
    void options.wakeClearing();
  }

  function happened(): void {
    // Planning is a transaction, even for the many changes that no webhook hears about.
    if (!isStopped && queries.nextEvent()) void options.wakePlanning();
  }

  function planStep(): boolean {
    const event = isStopped ? undefined : queries.nextEvent();
    if (!event) return false;
    const listeners = planned(event);
    queries.dropEvent(event.id);
    for (const { id, user_id, url, failing_since_at } of listeners) {
      due.set(id, { id, user_id, url, failing: failing_since_at === null ? 0 : 1 });
    }
    if (listeners.length > 0) sendSoon();
    return true;
  }

  /** No messages where a row is damaged, such as in a restored backup: the events of all accounts wait behind it. */
  function planned(event: EventRow): WebhookRow[] {
    try {
      return plan(event);
    } catch (err) {
      // Its JSON is broken or of another type. After any other error, such as a full disk, the event comes again.
      if (!(err instanceof SyntaxError || err instanceof TypeError)) throw err;
      log.error(
        { err, event: event.id },
        'no messages were made of a damaged event, or for a damaged webhook',
      );
      return [];
    }
  }

  /** All webhooks with messages that are due are looked for, not only those that are known to have some. */
  function wake(): void {
    isAnyDue = true;
    sendSoon();
  }

  function sendSoon(): void {
    if (isWoken || isStopped) return;
    isWoken = true;
    setImmediate(() => {
      isWoken = false;
      if (isStopped) return;
      try {
        sendDue();
      } catch (err) {
        log.error({ err }, 'webhook delivery failed');
      }
    });
  }

  /** Starts attempts at what is due, as many as may be under way. */
  function sendDue(): void {
    if (isFetcherFull) return;
    if (isAnyDue) {
      due = new Map(queries.due(now()).map((webhook) => [webhook.id, webhook]));
      isAnyDue = false;
    }
    let ready = [...due.values()].filter(({ id }) => !resting.has(id));
    const startedAt = monotonic();
    for (let webhook = shares.next(ready); webhook; webhook = shares.next(ready)) {
      if (monotonic() - startedAt > turnMs) {
        sendSoon();
        return;
      }
      const { id } = webhook;
      const waiting = queries.dueOf(id, now(), 1 + underWay.size + unnoted.size);
      const delivery = waiting.find((each) => !underWay.has(each.id) && !unnoted.has(each.id));
      if (delivery) begin(delivery, webhook);
      else ready = ready.filter((each) => each !== webhook);
      if (waiting.length === 0) due.delete(id);
    }
  }

  function begin(delivery: DeliveryRow, webhook: DueWebhook): void {
    const end = shares.begin(webhook);
    const wasFailing = webhook.failing === 1;
    const work = attempt(delivery)
      .then((arrived) => {
        if (arrived === undefined) return;
        // The job may have looked for all that is due meanwhile: the outcome counts for what it found.
        const latest = due.get(webhook.id);
        if (latest) latest.failing = arrived ? 0 : 1;
        if (!arrived && wasFailing) resting.add(webhook.id);
      })
      .catch((err) => {
        unnoted.add(delivery.id);
        log.error({ err }, 'a webhook attempt could not be recorded');
      })
      .finally(() => {
        underWay.delete(delivery.id);
        end();
        sendSoon();
      });
    underWay.set(delivery.id, work);
  }

  /** Returns whether the message arrived; undefined where it was not sent. */
  async function attempt(delivery: DeliveryRow): Promise<boolean | undefined> {
    const webhook = queries.findAny(delivery.webhook_id);
    // Switched off or deleted just now: what waits for it is given up elsewhere.
    if (!webhook || webhook.enabled === 0) {
      due.delete(delivery.webhook_id);
      return undefined;
    }
    let arrived: boolean | undefined;
    const secret = secretOf(webhook);
    if (!mayHear(webhook)) {
      transactions.atomically(() => stop(webhook.id, 'key'));
    } else if (secret === undefined) {
      transactions.atomically(() => stop(webhook.id, 'locked'));
      log.error({ webhook: webhook.id }, 'the secret of a webhook cannot be decrypted');
    } else {
      const outcome = await sendOrWait(webhook.url, secret, delivery);
      if (!outcome) return undefined;
      // Given up for the end of the server: it counts as never sent, and comes again after the next start.
      if (ending.signal.aborted) return undefined;
      // It may have been deleted meanwhile, and its log with it: these then change nothing. Where a power cut takes
      // the note, the message comes again, with its id: redirects do not wait for the disk.
      transactions.provisionally(() => note(webhook, delivery, outcome));
      arrived = outcome.delivered;
    }
    options.changes.publish({ accountId: webhook.user_id, resource: 'webhooks', ids: [webhook.id] });
    return arrived;
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
    if (status === 410) stop(webhook.id, 'gone');
    else if (webhook.failing_since_at !== null && now() - webhook.failing_since_at > failsFor) {
      stop(webhook.id, 'failing');
    }
  }

  /** Undefined if encrypted with another key: the data folder was assembled from two. */
  const secretOf = ({ secret, user_id }: WebhookRow) => vault.open(secret, purposes.webhookSecret(user_id));

  /** Undefined when the fetcher has too much under way: nothing was sent, and no attempt is used up. */
  async function sendOrWait(url: string, secret: string, { message, body }: DeliveryRow) {
    try {
      return await send(url, secret, message, body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      isFetcherFull = true;
      return undefined;
    }
  }

  /** Throws 503 when the fetcher has too much under way. */
  async function send(url: string, secret: string, message: string, body: string): Promise<Outcome> {
    const started = monotonic();
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(secret, message, Math.floor(now() / 1000), body),
    };
    const status = await fetcher.post(url, { headers, body, totalMs: longestMs, signal: ending.signal });
    return {
      delivered: status !== undefined && status >= 200 && status < 300,
      status: status ?? null,
      duration: Math.max(0, Math.round(monotonic() - started)),
    };
  }

  return {
    happened,
    planStep,
    wake,

    keyChanged(keyId) {
      const beyond = queries.enabledBy(keyId).filter((webhook) => !mayHear(webhook));
      for (const webhook of beyond) {
        stop(webhook.id, 'key');
        options.changes.publish({ accountId: webhook.user_id, resource: 'webhooks', ids: [webhook.id] });
      }
    },

    clicked(links) {
      const hearing = new Map<number, boolean>();
      const heard = links.filter(({ userId }) => {
        const hears = hearing.get(userId) ?? queries.hearsClicks(userId);
        hearing.set(userId, hears);
        return hears;
      });
      if (heard.length === 0) return;
      // A power failure may lose a click's message, as well as the click: redirects do not wait for the disk.
      transactions.provisionally(() => {
        for (const { userId, linkId, count } of heard) {
          const link = queries.findClickedLink(linkId);
          if (link)
            queries.insertEvent(userId, 'link.clicked', JSON.stringify({ id: linkId, ...link, count }));
        }
      });
      happened();
    },

    async test(webhook) {
      const secret = secretOf(webhook);
      if (secret === undefined) throw rejected('webhook_locked', 'secret', lockedSentence);
      const message = newMessageId(randomBytes);
      const body = messageBody('test', now(), { id: webhook.id, url: webhook.url });
      const outcome = await send(webhook.url, secret, message, body);
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
        unnoted.clear();
        resting.clear();
        isFetcherFull = false;
        happened();
        wake();
        if (sweptAt !== undefined && monotonic() - sweptAt < hour) return;
        // A full step: there may be more, which the next run clears.
        if (queries.sweep(now() - kept, rowsPerSweep) < rowsPerSweep) sweptAt = monotonic();
      },
    },

    async stop() {
      isStopped = true;
      const timer = setTimeout(() => ending.abort(), lastMs);
      await Promise.all(underWay.values());
      clearTimeout(timer);
    },
  };
}
