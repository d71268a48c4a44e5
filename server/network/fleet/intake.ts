import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { ShippedClick } from '../../visits/clicks/recorder.ts';
import {
  type ClickBatch,
  clickBatch,
  type EntryBatch,
  entryBatch,
  type FormEntry,
  readMessage,
} from './messages.ts';
import type { FleetLogQueries, FleetQueries } from './queries.ts';
import type { FleetSession } from './session.ts';
import { readStream } from './stream-reader.ts';

interface Options {
  queries: Pick<FleetQueries, 'edge'>;
  logQueries: FleetLogQueries;
  /** Writes clicks into the log, and what `note` writes in the same transaction. False while it has to wait. */
  storeShipped: (clicks: readonly ShippedClick[], note: () => void) => boolean;
  /** The same with what visitors sent through forms. */
  takeEntries: (entries: readonly FormEntry[], note: (queries: FleetLogQueries) => void) => boolean;
  /** Called with the edge in whose name something came that could not be read, if there is one. */
  onUnreadable: (edge: number) => void;
  log: Pick<Logger, 'warn'>;
}

const shipped = z.union([clickBatch, entryBatch]);

/** Clicks of one transaction: redirects wait for it. */
const clicksAtOnce = 100;
const waitMs = 20;
/**
 * An engine whose machine lost its power has forgotten its last messages, and gives their numbers to others: so many
 * are read once more with each connection. Clicks that were taken in are known by the log of their edge.
 */
const messagesToRepeat = 1_000;

/** Whether one of many is logged: a flood must not fill the disk. */
const isTold = (count: number): boolean => count <= 100 || count % 1_000 === 0;

/**
 * Imports what edges sent, each click and form entry exactly once: the position in an edge's log is stored in the
 * transaction of the imported data. Runs until the connection ends, or deliveries stop.
 */
export async function takeInShipped(
  options: Options,
  { engine, seal, subjects }: FleetSession,
): Promise<void> {
  const { queries, logQueries, log } = options;
  const { clicks } = subjects;
  const { created, state } = await engine.manager.streams.info(clicks.stream);
  const taken = logQueries.sequence(created);
  const { DeliverPolicy } = await import('@nats-io/jetstream');
  const messages = readStream(engine, clicks.stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: taken > state.last_seq ? 1 : Math.max(0, taken - messagesToRepeat) + 1,
    most: 50,
  });
  let leftOut = 0;
  let refused = 0;
  let dropped = 0;
  for await (const message of messages) {
    const edge = Number(message.subject.split('.').at(-1));
    const row = queries.edge(edge);
    const batch = readMessage(shipped, seal.open(message.data, message.subject));
    const note = () => logQueries.setSequence(created, message.seq);
    if (!batch || !row || batch.edge !== edge) {
      leftOut += 1;
      if (isTold(leftOut)) log.warn({ edge, leftOut }, 'an unreadable message of an edge was ignored');
      // A message that is read again was reported before.
      if (row && (taken > state.last_seq || message.seq > taken)) options.onUnreadable(edge);
      await write([], note);
    } else if (row.revoked_at !== null && message.time.getTime() > row.revoked_at) {
      dropped += 'entries' in batch ? batch.entries.length : batch.rows.length;
      refused += 1;
      if (isTold(refused))
        log.warn({ edge: row.name, dropped }, 'clicks and form entries of a revoked edge were dropped');
      await write([], note);
    } else if ('entries' in batch) {
      await takeEntries(batch, message.time.getTime(), message.seq);
    } else {
      await takeBatch(batch, row.name, message.time.getTime(), note);
    }
  }

  async function takeBatch(
    batch: ClickBatch,
    edge: string,
    latestAt: number,
    note: () => void,
  ): Promise<void> {
    const known = logQueries.source(batch.log);
    const lastLink = logQueries.lastLinkOf(batch.epoch);
    const fresh = batch.rows.filter(([id]) => id > known);
    for (let start = 0; start < fresh.length || start === 0; start += clicksAtOnce) {
      const part = fresh.slice(start, start + clicksAtOnce);
      const isLast = start + clicksAtOnce >= fresh.length;
      await write(
        part
          .filter(([, linkId]) => linkId <= lastLink)
          .map((row) => ({ ...readClick(row, batch.words, latestAt), edge })),
        () => {
          const last = part.at(-1);
          if (last) logQueries.setSource(batch.log, batch.edge, last[0]);
          if (isLast) note();
        },
      );
      await nextTurn();
    }
  }

  async function takeEntries(batch: EntryBatch, latestAt: number, sequence: number): Promise<void> {
    // Ids of entries are counted apart from those of clicks.
    const source = `${batch.log} entries`;
    const known = logQueries.source(source);
    const fresh = batch.entries.filter(([id]) => id > known);
    const entries = fresh.map(([, entry]) => ({ ...entry, at: Math.min(entry.at, latestAt) }));
    const last = fresh.at(-1)?.[0];
    const note = (written: FleetLogQueries) => {
      if (last !== undefined) written.setSource(source, batch.edge, last);
      written.setSequence(created, sequence);
    };
    await until(() => options.takeEntries(entries, note));
    await nextTurn();
  }

  /**
   * The next connection receives again what was not written when this one ended; written by both, it would count twice.
   */
  async function until(isWritten: () => boolean): Promise<void> {
    while (!engine.connection.isClosed() && !isWritten())
      await new Promise((resolve) => setTimeout(resolve, waitMs));
  }

  async function write(part: readonly ShippedClick[], note: () => void): Promise<void> {
    await until(() => options.storeShipped(part, note));
  }
}

function readClick(
  [, linkId, at, visitor, source, rule, bot, codes, address]: ClickBatch['rows'][number],
  words: readonly string[],
  latestAt: number,
) {
  const texts = codes.map((place) => words[place - 1] ?? '');
  // An edge's clock may be ahead; the engine's says when the click was there at the latest.
  return { linkId, at: Math.min(at, latestAt), visitor, source, rule, bot, texts, address };
}
