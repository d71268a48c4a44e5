import { createHash, createHmac } from 'node:crypto';
import type Koa from 'koa';
import type { Transactions } from '../database/transactions.ts';
import { Refusal, rejected, tooMany } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { Slices } from '../jobs/slices.ts';
import type { IdempotencyQueries } from './queries.ts';

interface Options {
  queries: IdempotencyQueries;
  transactions: Pick<Transactions, 'atomically'>;
  slices: Pick<Slices, 'run'>;
  now: () => number;
  /** Stored responses per account; for tests. */
  most?: number;
}

/** A request that may carry an `Idempotency-Key`. */
interface KeyedRequest {
  caller: Caller;
  /** The body as parsed by the endpoint. */
  body: unknown;
  context: Pick<Koa.Context, 'req' | 'set'>;
}

/** How long a response is repeated. */
const keptMs = 86_400_000;
/** More than a key can request in a day at the usual rate limit. */
const mostPerAccount = 50_000;
const rowsPerStep = 50;
const replayed = { 'Idempotency-Replayed': 'true' };
/** Errors that depend on the current state and not on the request. */
const momentary = [401, 408, 409, 429];

/**
 * Answers repeated requests with the original response, for 24 hours (decision 0078). The response is stored in the
 * transaction of the work, so that a crash leaves both or neither.
 */
export function idempotency({ queries, transactions, slices, now, most = mostPerAccount }: Options) {
  const inFlight = new Set<string>();

  /** The original response; undefined for the first request. Throws the original error, or 400. */
  function replay(user: number, key: Buffer, body: Buffer, context: KeyedRequest['context']): unknown {
    const stored = queries.find(user, key);
    if (!stored || stored.at <= now() - keptMs) return undefined;
    if (!stored.body.equals(body)) {
      throw rejected(
        'idempotency_mismatch',
        'Idempotency-Key',
        'This Idempotency-Key was used for another request. Send a new key.',
      );
    }
    const reply = JSON.parse(stored.reply);
    if (stored.status >= 400) {
      throw new Refusal(stored.status, reply.message, { ...reply.details, headers: replayed });
    }
    context.set(replayed);
    return reply;
  }

  return {
    /**
     * Runs `work` once per key of a person in an account. Work that writes calls `keep` with its response inside its
     * transaction. Throws 400 `idempotency_mismatch` if the key was used with another body, 409
     * `idempotency_in_flight` while the first request is in progress, and 429 `idempotency_full` if the account has
     * too many keys.
     */
    async once<Reply>(
      { caller, body, context }: KeyedRequest,
      work: (keep: (reply: Reply) => void) => Promise<Reply>,
    ): Promise<Reply> {
      const text = readKey(context);
      if (text === undefined) return work(() => {});
      const user = caller.user.id;
      // Members of a team choose their keys independently.
      const key = createHash('sha256').update(`${caller.person.user.id} ${text}`).digest();
      // Keyed, so that a password in the body cannot be guessed from the stored hash.
      const hash = createHmac('sha256', text).update(JSON.stringify(body)).digest();
      const name = `${user} ${key.toString('hex')}`;
      if (inFlight.has(name)) {
        throw new Refusal(
          409,
          'The first request with this Idempotency-Key is still running. Try again soon.',
          {
            code: 'idempotency_in_flight',
            headers: { 'Retry-After': '1' },
          },
        );
      }
      const earlier = replay(user, key, hash, context);
      if (earlier !== undefined) return earlier as Reply;
      if (queries.isFull(user, most)) {
        const message = `Idempotency-Keys are kept for a day, at most ${most} of an account. Leave the header out, or wait.`;
        throw tooMany('idempotency_full', message, 3600);
      }
      const store = (status: number, reply: unknown) =>
        queries.store({ user, key, body: hash, status, reply: JSON.stringify(reply), at: now() });
      let isKept = false;
      inFlight.add(name);
      try {
        const reply = await work((kept) => {
          store(200, kept);
          isKept = true;
        });
        if (!isKept) transactions.atomically(() => store(200, reply));
        return reply;
      } catch (error) {
        if (error instanceof Refusal && !isKept && error.status < 500 && !momentary.includes(error.status)) {
          const { headers: _headers, ...details } = error.details;
          transactions.atomically(() => store(error.status, { message: error.message, details }));
        }
        throw error;
      } finally {
        inFlight.delete(name);
      }
    },

    /** Deletes responses older than a day, once an hour. */
    job: {
      name: 'idempotency',
      intervalMs: () => 3_600_000,
      firstMs: 120_000,
      async run(signal) {
        const before = now() - keptMs;
        await slices.run(() => !signal.aborted && queries.removeOlder(before, rowsPerStep) === rowsPerStep);
      },
    } satisfies Job,
  };
}

export type Idempotency = ReturnType<typeof idempotency>;

/** A request's key; undefined without the header. Throws 400. */
function readKey({ req }: KeyedRequest['context']): string | undefined {
  const sent = req.headers['idempotency-key'];
  if (sent === undefined) return undefined;
  const text = String(sent);
  if (!/^[\x20-\x7e]{1,255}$/.test(text)) {
    throw rejected(
      'invalid_value',
      'Idempotency-Key',
      'Use 1 to 255 printable ASCII characters for the Idempotency-Key.',
    );
  }
  return text;
}
