import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from './engine.ts';

/** Chunks in flight, so that memory does not grow with the size of an object. */
const mostPieces = 16;
/** For how long nothing may come. */
const stallMs = 10_000;
/** The maximum deletions per clean-up, since changes wait for it. The rest is left to the next one. */
const mostForgotten = 20;
/** Chunks examined before yielding. */
const lookedAtOnce = 1_000;

const streamOf = (bucket: string) => `OBJ_${bucket}`;
const subjectOf = (bucket: string, nuid: string) => `$O.${bucket}.C.${nuid}`;

/**
 * Hands an object of a bucket to `write`, piece by piece as far as the last was written. Resolves to how many bytes
 * came, at most a piece more than `most`, and whether the engine had no more. Throws what `write` throws.
 */
export async function readPieces(
  { connection, streams }: Engine,
  { bucket, nuid, most }: { bucket: string; nuid: string; most: number },
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<{ received: number; isAll: boolean }> {
  // The library's reader buffers as much as the engine sends, however slowly it is written.
  const consumer = await streams.consumers.get(streamOf(bucket), {
    filter_subjects: subjectOf(bucket, nuid),
  });
  const messages = await consumer.consume({ max_messages: mostPieces });
  const stop = () => void messages.stop();
  let stall = setTimeout(stop, stallMs);
  void connection.closed().then(stop);
  let received = 0;
  let isAll = true;
  try {
    for await (const { data, info } of messages) {
      isAll = info.pending === 0;
      received += data.length;
      if (received > most) break;
      // A slow disk is no fault of the engine.
      clearTimeout(stall);
      await write(data);
      if (received === most) break;
      stall = setTimeout(stop, stallMs);
    }
  } finally {
    clearTimeout(stall);
    messages.stop();
  }
  if (received < most && connection.isClosed()) throw new Error('the connection to the engine ended');
  return { received, isAll };
}

/** An object that is in a bucket. */
interface KeptObject {
  name: string;
  nuid: string;
}

/**
 * Deletes what belongs to no object of a bucket: chunks of interrupted uploads, and markers of deleted objects. Call
 * it while nothing is being uploaded.
 */
export async function sweepBucket(
  { manager }: Engine,
  bucket: string,
  kept: readonly KeptObject[],
): Promise<void> {
  const wanted = new Set(
    kept.flatMap(({ name, nuid }) => [subjectOf(bucket, nuid), `$O.${bucket}.M.${encoded(name)}`]),
  );
  const { state } = await manager.streams.info(streamOf(bucket), { subjects_filter: `$O.${bucket}.>` });
  let looked = 0;
  let forgotten = 0;
  for (const subject of Object.keys(state.subjects ?? {})) {
    looked += 1;
    if (looked % lookedAtOnce === 0) await nextTurn();
    if (wanted.has(subject)) continue;
    if (forgotten === mostForgotten) return;
    await manager.streams.purge(streamOf(bucket), { filter: subject });
    forgotten += 1;
  }
}

/** The encoded name of an object in its subject. */
const encoded = (name: string): string =>
  Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
