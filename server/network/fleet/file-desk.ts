import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { asFailure } from './engine.ts';
import { type FileBucket, openBucket } from './file-objects.ts';
import { type FileState, fileQuestion, readMessage } from './messages.ts';
import type { FleetQueries } from './queries.ts';
import type { FleetSession } from './session.ts';
import { inTurns } from './stream-reader.ts';

interface Options {
  queries: Pick<FleetQueries, 'edge' | 'contentOf'>;
  /** Opens a content for reading. */
  openContent: (storage: string) => Promise<FileHandle>;
  now: () => number;
  log: Pick<Logger, 'warn'>;
  /** The maximum total size of contents in NATS. */
  mostBytes?: number | undefined;
}

const gib = 2 ** 30;
const bucketBytes = 4 * gib;
/** Contents that wait to be put into the engine at most; edges ask again. */
const mostWaiting = 100;
/** A recent upload is not repeated, even if reported as damaged. */
const settledMs = 60_000;
/** Contents checked before yielding. */
const lookedUpAtOnce = 200;
/** How long an edge gets the same error before a retry. */
const failedMs = 5_000;

/**
 * Hands out the contents of files to the edges that ask for them, through one connection to the engine (decision 0096).
 */
export async function fileDesk(
  { queries, openContent, now, log, ...options }: Options,
  session: FleetSession,
) {
  const { engine, seal, subjects } = session;
  const bucket: FileBucket = await openBucket(session, options.mostBytes ?? bucketBytes);
  const { mostBytes } = bucket;
  /** Contents that are put there, or wait for it. */
  const coming = new Set<string>();
  const failures = new Map<string, { state: FileState; at: number }>();
  let working: Promise<void> = Promise.resolve();
  let isSweeping = false;

  /** Deletes contents without a file, and the oldest ones until another one fits. */
  async function makeRoom(size: number): Promise<void> {
    const all = await bucket.list();
    let bytes = all.reduce((sum, each) => sum + each.size, size);
    for (const [index, { storage, size: freed }] of all.entries()) {
      if (index % lookedUpAtOnce === lookedUpAtOnce - 1) await nextTurn();
      if (bytes <= mostBytes && queries.contentOf(storage)) continue;
      await bucket.remove(storage);
      bytes -= freed;
    }
  }

  async function put(storage: string): Promise<FileState> {
    const size = queries.contentOf(storage)?.size;
    if (size === undefined) return 'gone';
    if (size > mostBytes) {
      log.warn({ storage, size }, 'a file is too large for the engine of the fleet');
      return 'failed';
    }
    const content = await openContent(storage);
    try {
      await makeRoom(size);
      try {
        await bucket.put({ storage, size }, content);
      } catch (error) {
        if (!isFull(error)) throw error;
        // NATS has less space than contents may use: existing ones were requested by someone.
        for (const each of await bucket.list()) await bucket.remove(each.storage);
        await bucket.put({ storage, size }, content);
      }
    } finally {
      await content.close();
    }
    // It may have been deleted while it was on its way.
    if (queries.contentOf(storage)) return 'there';
    await bucket.remove(storage);
    return 'gone';
  }

  function isFull(error: unknown): boolean {
    const { reason } = asFailure(error, { url: '' });
    return reason === 'no_room' || reason === 'clicks_full';
  }

  async function work(storage: string): Promise<void> {
    try {
      const state = engine.connection.isClosed() ? 'failed' : await put(storage);
      if (state !== 'there') failures.set(storage, { state, at: now() });
    } catch (error) {
      const full = isFull(error);
      const why = full
        ? 'The engine has no room for a file. Give JetStream more space (max_file_store).'
        : 'a file could not be put into the engine';
      if (!engine.connection.isClosed()) log.warn({ err: error, storage }, why);
      failures.set(storage, { state: full ? 'full' : 'failed', at: now() });
    } finally {
      coming.delete(storage);
    }
  }

  async function stateOf(body: Buffer | undefined): Promise<FileState | undefined> {
    const question = readMessage(fileQuestion, body);
    if (!question) return undefined;
    const { edge, installation, storage, anew } = question;
    const row = queries.edge(edge);
    if (!row || row.revoked_at !== null || row.installation !== installation) return undefined;
    if (!queries.contentOf(storage)) return 'gone';
    if (coming.has(storage)) return 'coming';
    const failure = failures.get(storage);
    if (failure && now() - failure.at < failedMs && now() >= failure.at) return failure.state;
    failures.delete(storage);
    const found = await bucket.find(storage);
    if (found && !(anew && Math.abs(now() - found.putAt) > settledMs)) return 'there';
    if (coming.size < mostWaiting && !coming.has(storage)) {
      coming.add(storage);
      // One at a time, so as not to keep the disk and visitors waiting.
      working = working.then(() => work(storage));
    }
    return 'coming';
  }

  return {
    /** Answers edges until the connection ends. */
    async answer(): Promise<void> {
      const { ask } = subjects.files;
      for await (const message of inTurns(engine.connection.subscribe(ask))) {
        const state = await stateOf(seal.open(message.data, ask));
        if (state) message.respond(seal.seal(JSON.stringify({ state }), `${ask} reply`));
      }
    },
    /** Deletes contents without a file, and incomplete ones, from NATS after the current upload. */
    sweep(): void {
      if (isSweeping) return;
      isSweeping = true;
      working = working.then(async () => {
        try {
          await makeRoom(0);
          await bucket.sweep();
        } catch (error) {
          if (!engine.connection.isClosed())
            log.warn({ err: error }, 'the files in NATS could not be listed');
        }
        isSweeping = false;
      });
    },
  };
}
