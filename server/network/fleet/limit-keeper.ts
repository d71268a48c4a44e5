import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readCounting, writeCount } from './limits.ts';
import { limitState, readMessage } from './messages.ts';
import type { OriginReader } from './origin-reader.ts';
import type { FleetLogQueries } from './queries.ts';
import type { FleetSession } from './session.ts';
import { readStream } from './stream-reader.ts';
import { latest } from './streams.ts';
import type { Counted } from './subjects.ts';

interface Options {
  reader: Pick<OriginReader, 'usedLimits'>;
  logQueries: Pick<FleetLogQueries, 'raiseUsed' | 'usedOf'>;
  /** Writes in a transaction of the click log. False while that has to wait. */
  write: (note: () => void) => boolean;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  log: Pick<Logger, 'warn'>;
}

interface Heeded {
  subject: string;
  data: Uint8Array;
  seq: number;
  /** Whether machines count on with it. */
  isNow: boolean;
}

const waitMs = 20;
/** The number of attempts for a count that edges change concurrently. */
const mostTries = 20;
/** How long the end of the counting may wait for what edges took before it. */
const closingMs = 10_000;

/**
 * Keeps the counts of limited links and files in the database and in the engine in step, through one connection to it.
 */
export function limitKeeper(options: Options, session: FleetSession) {
  const { engine, seal, subjects } = session;
  const { limits } = subjects;
  /** The last message whose count is written down here. */
  let heeded = 0;
  let isClosing = false;

  /**
   * Stores what edges have used here, and publishes what was used before there was a fleet, or while it was off. Then
   * edges may take clicks. Runs until the connection ends, or deliveries stop.
   */
  async function keep(): Promise<void> {
    const { DeliverPolicy } = await import('@nats-io/jetstream');
    const { config, state } = await engine.manager.streams.info(limits.stream);
    const counting = limits.countingOf(config.subjects);
    // It is being closed.
    if (counting === undefined) return;
    /** Times that ended without their counts being taken away. */
    const former = new Set<string>();
    let isKept = state.messages === 0;
    if (isKept) await tellAll(counting);
    const from = { deliver_policy: DeliverPolicy.LastPerSubject, filter_subjects: limits.all, most: 500 };
    const messages = readStream(engine, limits.stream, from);
    for await (const { subject, data, seq, info } of messages) {
      const found = limits.countedOf(subject);
      if (found) await heed(found.counted, { subject, data, seq, isNow: found.counting === counting });
      if (found && found.counting !== counting) former.add(found.counting);
      heeded = seq;
      if (isKept || info.pending > 0) continue;
      isKept = true;
      await tellAll(counting);
      for (const name of former)
        await engine.manager.streams.purge(limits.stream, { filter: limits.countsOf(name) });
    }
  }

  async function heed(counted: Counted, { subject, data, seq, isNow }: Heeded): Promise<void> {
    const known = options.logQueries.usedOf(counted);
    if (known === undefined) {
      // Its link or file was deleted.
      await engine.manager.streams.purge(limits.stream, { filter: subject });
      return;
    }
    const used = readMessage(limitState, seal.open(data, subject))?.used;
    if (used === undefined) {
      options.log.warn(counted, 'the count of a limited link or file could not be read and was replaced');
      if (isNow && !isClosing) await writeCount(session, subject, { used: known, sequence: seq });
    } else if (used > known) {
      while (!options.write(() => options.logQueries.raiseUsed(counted, used))) await pause(waitMs);
      await nextTurn();
    }
  }

  /** Writes the database's counts into the engine if it has lower ones. */
  async function tellAll(counting: string): Promise<void> {
    for (const kind of ['link', 'file'] as const) {
      let after = 0;
      for (;;) {
        const page = await options.reader.usedLimits(kind, after);
        for (const { id, createdAt, used } of page)
          await raise(limits.of(counting, { kind, id, createdAt }), used);
        const last = page.at(-1);
        if (!last || isClosing) break;
        after = last.id;
      }
    }
    if (!isClosing && (await readCounting(session)) !== counting) {
      await engine.streams.publish(limits.ready, seal.seal(JSON.stringify({ counting }), limits.ready));
    }
  }

  async function raise(subject: string, used: number): Promise<void> {
    for (let tries = 0; tries < mostTries && !isClosing; tries += 1) {
      const found = await latest(engine, limits.stream, subject);
      const there = found && readMessage(limitState, seal.open(found.data, subject))?.used;
      if (there !== undefined && there >= used) return;
      if ((await writeCount(session, subject, { used, sequence: found?.seq ?? 0 })) !== undefined) return;
    }
  }

  /**
   * Whether there are counts that are not stored yet. Purged ones do not count, which the stream's numbers do not
   * show.
   */
  async function isBehind(): Promise<boolean> {
    const next = { seq: heeded + 1, next_by_subj: limits.all };
    return (await engine.manager.streams.getMessage(limits.stream, next)) !== null;
  }

  return {
    keep,
    /**
     * Ends counting in NATS: no machine takes clicks there any more, and those taken are stored here, so that the
     * origin can count alone. The next connection resumes it. Rejects if NATS cannot be reached.
     */
    async close(): Promise<void> {
      isClosing = true;
      // For all machines at once: NATS rejects messages that no stream accepts.
      await engine.manager.streams.update(limits.stream, { subjects: [limits.closed] });
      const giveUpAt = options.monotonic() + closingMs;
      while (await isBehind()) {
        if (options.monotonic() > giveUpAt) {
          // Counts that are not stored here stay there, and edges cannot continue from them on their own.
          await engine.manager.streams.purge(limits.stream, { filter: limits.ready });
          throw new Error('the counts of limited links could not be read in time');
        }
        await pause(waitMs);
      }
      // A machine cannot continue from a cached count when it is reopened.
      await engine.manager.streams.purge(limits.stream);
    },
  };
}

export type LimitKeeper = ReturnType<typeof limitKeeper>;
