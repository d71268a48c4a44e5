import type { Logger } from 'pino';
import type { Transactions } from '../database/transactions.ts';
import { busy } from '../errors.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { Vault } from '../vault.ts';
import { type Letter, write } from './letters.ts';
import type { MailLimits } from './limits.ts';
import type { MailConnection } from './mail-settings.ts';
import type { OutboxQueries, OutboxRow } from './queries.ts';
import type { Smtp } from './smtp.ts';
import { type Failure, isFinal, isOfServer, type Outcome } from './submission.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delays before retrying a message; the last one is repeated. */
const pauses = [minute, 5 * minute, 15 * minute, hour] as const;
/** While the server itself fails, sending pauses this long, doubled with each failure, up to the maximum. */
const shortestRest = 30 * second;
const longestRest = 15 * minute;
/** Messages are dropped after a day: by then, anyone waiting for a code has asked again. */
const keptMs = 24 * hour;
const droppedAtOnce = 100;
/** Messages sent at once, and test messages in addition. */
const atOnce = 2;
const testsAtOnce = 2;
const submissionMs = 30 * second;
/** How long shutdown waits for messages being sent, by default. */
const usualLastMs = 2 * second;

/** What is stored of a message until it is sent: its type, and the data that its writer needs. */
interface Draft {
  kind: string;
  data: unknown;
}

/** A message to a person. */
interface Addressed extends Letter {
  to: string;
}

/** Renders a message of one type when it is due; undefined if it is no longer wanted. */
type Writer = (data: unknown) => Addressed | undefined;

interface Options {
  queries: OutboxQueries;
  connection: MailConnection;
  limits: MailLimits;
  smtp: Smtp;
  vault: Vault;
  /** The purpose with which messages are encrypted. */
  purpose: string;
  baseUrl: () => string;
  now: () => number;
  monotonic: () => number;
  randomBytes: (size: number) => Buffer;
  transactions: Transactions;
  log: Pick<Logger, 'warn' | 'error'>;
  /** How many milliseconds shutdown waits for messages being sent. */
  lastMs?: number | undefined;
}

export interface Outbox {
  /**
   * Registers the writer of a message type. With `refusesTooMany`, posting a message to a recipient over the limit
   * throws 429, and the poster retries later; without it, the message waits.
   */
  writeWith<Data>(
    kind: string,
    writer: (data: Data) => Addressed | undefined,
    rule?: { refusesTooMany: boolean },
  ): (data: Data, party: string) => void;
  /** Checks for work soon, without waiting for the pause after a server failure. */
  wake(): void;
  /** The number of waiting messages, and the reason if the last attempt failed. */
  state(): { waiting: number; failure: { failure: Failure; at: number } | undefined };
  /** Sends a message now. Throws 503 if too many of these are being sent. */
  sendNow(letter: Addressed): Promise<Outcome>;
  readonly job: Job;
  /** Waits for messages being sent, for two seconds by default; no others are started. */
  stop(): Promise<void>;
}

/**
 * Messages that wait in the database until a mail server accepts them. A request's message is committed with its
 * changes, so a crash loses nothing; a message that was being sent is sent again, with the same id.
 */
export function outbox(options: Options): Outbox {
  const { queries, connection, limits, vault, purpose, now, monotonic, transactions, log } = options;
  const writers = new Map<string, Writer>();
  const underWay = new Map<number, Promise<void>>();
  /** Messages whose result could not be stored (a full disk): they wait for the next run of the job. */
  const unnoted = new Set<number>();
  let rest = shortestRest;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let failed: { failure: Failure; at: number } | undefined;
  let tests = 0;
  let isWoken = false;
  let isStopped = false;

  function post(draft: Draft, party: string): void {
    limits.consume(party);
    const host = new URL(options.baseUrl()).hostname;
    queries.insert({
      party,
      sealed: vault.seal(JSON.stringify(draft), purpose),
      messageId: `<${options.randomBytes(16).toString('hex')}@${host}>`,
      at: now(),
    });
    look();
  }

  /** Starts what is due, after the current transaction. */
  function look(): void {
    if (isWoken || isStopped) return;
    isWoken = true;
    setImmediate(() => {
      isWoken = false;
      if (isStopped || !connection.isReady() || monotonic() < restsUntil) return;
      try {
        pump();
      } catch (err) {
        log.error({ err }, 'email could not be sent');
      }
    });
  }

  function pump(): void {
    const due = queries
      .due(now(), atOnce + underWay.size + unnoted.size)
      .filter(({ id }) => !underWay.has(id) && !unnoted.has(id));
    for (const row of due.slice(0, atOnce - underWay.size)) begin(row);
  }

  function begin(row: OutboxRow): void {
    const work = attempt(row)
      .catch((err) => {
        unnoted.add(row.id);
        log.error({ err: withoutAddress(err) }, 'an email could not be sent');
      })
      .finally(() => {
        underWay.delete(row.id);
        look();
      });
    underWay.set(row.id, work);
  }

  async function attempt(row: OutboxRow): Promise<void> {
    // Not within the request that posted it.
    await new Promise((resolve) => setImmediate(resolve));
    const letter = transactions.atomically(() => letterOf(row));
    if (!letter) return transactions.atomically(() => queries.remove(row.id));
    const { kind, to } = letter;
    const release = limits.reserve(kind, to);
    if (!release) return transactions.atomically(() => queries.wait(row.id, limits.roomAt(kind, to)));
    try {
      const outcome = await submit(letter, row.message_id);
      // Cancelled by shutdown: it is sent after the next start.
      if (!outcome) return;
      transactions.atomically(() => {
        if (!outcome.failure) limits.noteReceived(kind, to);
        note(row, outcome.failure);
      });
    } finally {
      release();
    }
  }

  /** The rendered message; undefined if it is no longer wanted, or cannot be decrypted. */
  function letterOf({ sealed }: OutboxRow): Addressed | undefined {
    const opened = vault.open(sealed, purpose);
    if (opened === undefined) {
      log.error('an email was dropped: it was encrypted with another vault key');
      return undefined;
    }
    const { kind, data } = JSON.parse(opened) as Draft;
    return writers.get(kind)?.(data);
  }

  /** Undefined if the server stopped meanwhile. */
  async function submit(letter: Addressed, messageId: string): Promise<Outcome | undefined> {
    const found = connection.find();
    if (!found) return undefined;
    const { from, server } = found;
    const mail = { from, to: letter.to, messageId, ...write(letter, server.name) };
    try {
      return await options.smtp.submit({ server, mail, totalMs: submissionMs });
    } catch (error) {
      if (isStopped) return undefined;
      throw error;
    }
  }

  function note(row: OutboxRow, failure: Failure | undefined): void {
    if (!failure) {
      queries.remove(row.id);
      failed = undefined;
      rest = shortestRest;
      return;
    }
    failed = { failure, at: now() };
    const { kind, status } = failure;
    if (isOfServer(failure)) {
      log.warn({ reason: kind, status }, 'the mail server rejects email; sending is retried');
      restsUntil = monotonic() + rest;
      rest = Math.min(2 * rest, longestRest);
    } else if (isFinal(failure)) {
      log.warn({ reason: kind, status }, 'an email was dropped: the mail server refused it for good');
      queries.remove(row.id);
    } else {
      queries.wait(row.id, now() + (pauses[Math.min(row.attempts, pauses.length - 1)] as number));
    }
  }

  return {
    writeWith(kind, writer, { refusesTooMany } = { refusesTooMany: false }) {
      writers.set(kind, writer as Writer);
      return (data, party) => {
        const letter = refusesTooMany ? writer(data) : undefined;
        if (letter && !limits.mayReceive(letter.kind, letter.to)) throw limits.tooManyFor();
        post({ kind, data }, party);
      };
    },

    wake() {
      restsUntil = Number.NEGATIVE_INFINITY;
      rest = shortestRest;
      look();
    },

    state: () => ({ waiting: queries.count(), failure: failed }),

    async sendNow(letter) {
      if (tests >= testsAtOnce) throw busy();
      tests += 1;
      try {
        const messageId = `<${options.randomBytes(16).toString('hex')}@${new URL(options.baseUrl()).hostname}>`;
        return (await submit(letter, messageId)) ?? { failure: stopped };
      } finally {
        tests -= 1;
      }
    },

    job: {
      name: 'email',
      intervalMs: () => 15 * second,
      firstMs: second,
      run() {
        unnoted.clear();
        const dropped = transactions.atomically(() => queries.removeOld(now() - keptMs, droppedAtOnce));
        if (dropped > 0) log.warn({ dropped }, 'emails were dropped: they could not be sent for a day');
        look();
      },
    },

    async stop() {
      isStopped = true;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, options.lastMs ?? usualLastMs);
      });
      await Promise.race([Promise.all(underWay.values()), late]);
      clearTimeout(timer);
      await options.smtp.close();
      await Promise.all(underWay.values());
    },
  };
}

const stopped: Failure = { kind: 'unreachable', status: undefined, words: 'the server is stopping' };

/** Errors from mail servers and libraries often contain addresses. */
function withoutAddress(error: unknown): { name: string; stack: string | undefined } {
  const { name, stack } = error instanceof Error ? error : new Error('unknown');
  return {
    name,
    stack: stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
  };
}
