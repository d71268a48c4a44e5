import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { boundedCache } from '../../platform/concurrency/bounded-cache.ts';
import type { CountedLimit, LimitVerdict, SharedLimits } from '../../visits/redirects/shared-limits.ts';
import type { Engine } from './engine.ts';
import { countingState, limitState, readMessage } from './messages.ts';
import type { FleetSession } from './session.ts';
import { latest } from './streams.ts';

interface Options {
  /** The connection to NATS; undefined while there is none. */
  session: () => FleetSession | undefined;
  /** Stores the current count, so that it is known without NATS, too. */
  noteUsed?: (counted: CountedLimit, used: number) => void;
  log: Pick<Logger, 'warn'>;
}

interface Queue {
  link: CountedLimit;
  waiting: ((verdict: LimitVerdict) => void)[];
}

/** A count in the engine; `sequence` is its message, 0 if there is none. */
export interface Count {
  used: number;
  sequence: number;
}

/** Visitors that may wait for NATS at once. */
const mostWaiting = 1_000;
/** Counts that are remembered, so that most visits take one question and not two. */
const mostKnown = 1_000;
const answerMs = 2_000;
const unasked = 'The engine did not say how many visits a link or a file has left.';
/** The number of attempts for a count that others change concurrently. */
const mostTries = 20;

/**
 * The remaining clicks of limited links, and downloads of limited files, counted in NATS for all machines of a fleet
 * (decision 0088). Each click is taken before it is answered, waiting ones in a single step; if NATS is unavailable,
 * none is.
 */
export function fleetLimits({ session, noteUsed, log }: Options): SharedLimits {
  /** By their subject. */
  const queues = new Map<string, Queue>();
  /** Null if another machine has counted since. */
  const known = boundedCache<string, Count | null>(mostKnown);
  let waiting = 0;
  /** The name of the current counting period, as received on this connection. */
  let counting: { name: string; engine: Engine } | undefined;

  /** The current subject of a count; undefined if none was requested on this connection, or counting is not allowed. */
  function subjectNow(through: FleetSession | undefined, counted: CountedLimit): string | undefined {
    if (!through || counting?.engine !== through.engine) return undefined;
    return through.subjects.limits.of(counting.name, counted);
  }

  /** The same, requested now. */
  async function askSubject(through: FleetSession, counted: CountedLimit): Promise<string | undefined> {
    const name = await readCounting(through);
    // An engine that lost its power may have forgotten its last messages, and given their numbers to others.
    if (counting?.engine !== through.engine || counting.name !== name) known.clear();
    counting = name === undefined ? undefined : { name, engine: through.engine };
    return subjectNow(through, counted);
  }

  /** One step of a queue; false if nothing may be taken now. */
  async function step(queue: Queue, through: FleetSession): Promise<boolean> {
    const remembered = subjectNow(through, queue.link);
    if (remembered !== undefined) {
      try {
        await take(remembered, queue, through);
        return true;
      } catch (error) {
        // Nothing was taken: machines count under another name by now, or not at all.
        if (!(await isTakenByNone(error))) throw error;
      }
    }
    const subject = await askSubject(through, queue.link);
    if (subject === undefined) return false;
    await take(subject, queue, through);
    return true;
  }

  /** Takes as many clicks as wait, or as are left. */
  async function take(subject: string, queue: Queue, through: FleetSession): Promise<void> {
    const count = known.get(subject) ?? (await readCount(through, subject));
    known.set(subject, count);
    const left = queue.link.limit - count.used;
    if (left <= 0) {
      settle(queue.waiting.splice(0), 'exhausted');
      return;
    }
    const group = queue.waiting.slice(0, left);
    const used = count.used + group.length;
    const sequence = await writeCount(through, subject, { used, sequence: count.sequence });
    if (sequence === undefined) {
      known.set(subject, null);
      return;
    }
    known.set(subject, { used, sequence });
    settle(queue.waiting.splice(0, group.length), 'allowed');
    noteUsed?.(queue.link, used);
  }

  function settle(group: Queue['waiting'], verdict: LimitVerdict): void {
    waiting -= group.length;
    for (const answer of group) answer(verdict);
  }

  async function work(key: string, queue: Queue): Promise<void> {
    let tries = 0;
    try {
      while (queue.waiting.length > 0) {
        const before = queue.waiting.length;
        const through = session();
        if (!through || !(await step(queue, through))) break;
        tries = queue.waiting.length < before ? 0 : tries + 1;
        if (tries === mostTries) break;
        // Machines that were in each other's way are not a second time.
        if (tries > 0) await pause(Math.random() * 5 * tries, undefined, { ref: false });
      }
    } catch (error) {
      // It is unknown whether it was taken.
      counting = undefined;
      log.warn({ err: error }, unasked);
    } finally {
      queues.delete(key);
      settle(queue.waiting.splice(0), 'failed');
    }
  }

  return {
    isUsedUp(link) {
      const subject = subjectNow(session(), link);
      return subject !== undefined && (known.get(subject)?.used ?? 0) >= link.limit;
    },
    async look(counted) {
      const through = session();
      if (!through || waiting >= mostWaiting) return 'failed';
      waiting += 1;
      try {
        const subject = await askSubject(through, counted);
        if (subject === undefined) return 'failed';
        return (await readCount(through, subject)).used < counted.limit ? 'left' : 'exhausted';
      } catch (error) {
        log.warn({ err: error }, unasked);
        return 'failed';
      } finally {
        waiting -= 1;
      }
    },
    consume(link) {
      const key = `${link.kind} ${link.id} ${link.createdAt}`;
      if (!session() || waiting >= mostWaiting) return Promise.resolve('failed');
      return new Promise((resolve) => {
        waiting += 1;
        const queue = queues.get(key);
        if (queue) {
          queue.link = link;
          queue.waiting.push(resolve);
          return;
        }
        const begun = { link, waiting: [resolve] };
        queues.set(key, begun);
        void work(key, begun);
      });
    },
  };
}

/** The name of the current counting period; undefined while there is none. */
export async function readCounting({ engine, seal, subjects }: FleetSession): Promise<string | undefined> {
  const { ready, stream } = subjects.limits;
  const found = await latest(engine, stream, ready);
  return readMessage(countingState, found && seal.open(found.data, ready))?.counting;
}

/** Whether no stream accepts the message. */
async function isTakenByNone(error: unknown): Promise<boolean> {
  const { RequestError } = await import('@nats-io/transport-node');
  const { cause } = error as Error;
  return cause instanceof RequestError && cause.isNoResponders();
}

/** The count of a link in NATS; undefined if there is none. Rejects if it was not encrypted by this fleet. */
async function readCount({ engine, seal, subjects }: FleetSession, subject: string): Promise<Count> {
  const found = await latest(engine, subjects.limits.stream, subject);
  if (!found) return { used: 0, sequence: 0 };
  const state = readMessage(limitState, seal.open(found.data, subject));
  if (!state) throw new Error(`the count of ${subject} is not of this fleet`);
  return { used: state.used, sequence: found.seq };
}

/** Replaces the count with number `sequence`; undefined if another machine was faster. */
export async function writeCount(
  { engine, seal }: FleetSession,
  subject: string,
  { used, sequence }: Count,
): Promise<number | undefined> {
  const { JetStreamApiCodes, JetStreamApiError } = await import('@nats-io/jetstream');
  try {
    const written = await engine.streams.publish(subject, seal.seal(JSON.stringify({ used }), subject), {
      expect: { lastSubjectSequence: sequence },
      timeout: answerMs,
    });
    return written.seq;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence)
      return undefined;
    throw error;
  }
}
