import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { JsMsg, OrderedConsumerOptions } from '@nats-io/jetstream';
import type { Engine } from './engine.ts';

interface From extends Partial<OrderedConsumerOptions> {
  /** Messages in flight. */
  most?: number;
  /** Ends the reading. */
  signal?: AbortSignal;
}

/** Several of them missed may be what delivers gone, with one engine of three (decision 0080). */
const heartbeatMs = 2_000;
/** Messages that are handled before yielding. */
const messagesInTurn = 20;
/** The delay before reading again: lost data may not be back yet. */
const againMs = 500;
/** The client's events for a lost consumer. */
const losses: ReadonlySet<string> = new Set([
  ...['consumer_deleted', 'consumer_not_found', 'stream_not_found', 'no_responders', 'reset'],
]);

/**
 * The messages of a stream in order, as they arrive. Ends with the connection, or if the stream or the server of its
 * consumer is lost. Callers then start again with what is there; the client itself would wait for the next number of a
 * stream that was reset.
 */
export async function* readStream(
  engine: Engine,
  stream: string,
  { most, signal, ...from }: From,
): AsyncGenerator<JsMsg> {
  const consumer = await engine.streams.consumers.get(stream, from);
  const messages = await consumer.consume({
    idle_heartbeat: heartbeatMs,
    ...(most !== undefined && { max_messages: most }),
  });
  const isThere = () =>
    consumer.info().then(
      () => true,
      () => false,
    );

  async function watch(): Promise<void> {
    for await (const { type } of messages.status()) {
      // A reader that is busy asks for nothing, and hears no heartbeat.
      const isLost = type === 'heartbeats_missed' ? !(await isThere()) : losses.has(type);
      if (isLost) messages.stop();
    }
  }

  void engine.connection.closed().then(() => messages.stop());
  signal?.addEventListener('abort', () => messages.stop());
  void watch().catch(() => messages.stop());
  try {
    for await (const message of inTurns(messages)) yield message;
  } finally {
    messages.stop();
  }
}

/**
 * Messages as they arrive, a few in each round of the event loop: with many of them there at once, visitors would wait
 * for all.
 */
export async function* inTurns<Message>(messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  let count = 0;
  for await (const message of messages) {
    yield message;
    count += 1;
    if (count % messagesInTurn === 0) await nextTurn();
  }
}

/** Starts again with what is there whenever deliveries stop, until the connection ends. */
export async function keepReading({ connection, ended }: Engine, read: () => Promise<void>): Promise<void> {
  while (!connection.isClosed()) {
    await read();
    await pause(againMs, undefined, { ref: false, signal: ended }).catch(() => {});
  }
}
