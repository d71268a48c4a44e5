import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { concurrencyLimit } from '../../platform/concurrency/concurrency-limit.ts';
import type { SharedFiles } from '../../visits/redirects/shared-files.ts';
import { asFailure } from './engine.ts';
import { type FileCache, NoRoom } from './file-cache.ts';
import { DamagedObject, getContent } from './file-objects.ts';
import type { Membership } from './membership.ts';
import { type FileState, fileReply, readMessage } from './messages.ts';
import type { FleetSession } from './session.ts';

interface Options {
  cache: FileCache;
  membership: Pick<Membership, 'id' | 'installation' | 'url'>;
  /** The connection to NATS; undefined while there is none. */
  session: () => FleetSession | undefined;
  /** Whether a content belongs to a file of the replica. */
  isStored: (storage: string) => boolean;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Pick<Logger, 'warn'>;
  /** Milliseconds that a visitor waits for a content; tests shorten it. */
  waitMs?: number | undefined;
}

/** Concurrent downloads: each needs some memory, and NATS has other work. */
const mostAtOnce = 4;
const visitorMs = 10_000;
const replyMs = 5_000;
const askAgainMs = 500;
/**
 * For how long the origin may take to put a content into the engine, and nothing be heard of it but that it is coming.
 */
const comingMs = 30 * 60_000;
/** How often the same reason is written into the log. */
const sayMs = 60_000;

/** Why a content could not be fetched; the message is for the log. */
class FetchFailed extends Error {}

const reasons: Record<Exclude<FileState, 'there' | 'coming'>, string> = {
  gone: 'The origin no longer has the content of a file.',
  full: 'The engine has no room for a file. Give JetStream more space (max_file_store).',
  failed: 'The origin could not send the content of a file. Its log says why.',
};

/** The contents of files on an edge: fetched through NATS on the first request, and cached. */
export function edgeFiles({ cache, membership, session, isStored, now, log, ...options }: Options) {
  const waitMs = options.waitMs ?? visitorMs;
  const fetching = new Map<string, Promise<void>>();
  const limited = concurrencyLimit(mostAtOnce);
  const said = new Map<string, number>();

  async function ask({ engine, seal, subjects }: FleetSession, storage: string, anew: boolean) {
    const { id: edge, installation } = membership;
    const subject = subjects.files.ask;
    const question = seal.seal(JSON.stringify({ edge, installation, storage, anew }), subject);
    const { data } = await engine.connection
      .request(subject, question, { timeout: replyMs })
      .catch((cause: unknown) => {
        throw new FetchFailed(
          'The origin does not answer, and the engine does not have the content of a file yet.',
          { cause },
        );
      });
    const reply = readMessage(fileReply, seal.open(data, `${subject} reply`));
    if (!reply) throw new FetchFailed('The reply of the origin about a file could not be read.');
    return reply.state;
  }

  /** Waits until the engine has a content. Throws FetchFailed. */
  async function waitFor(through: FleetSession, storage: string, anew: boolean): Promise<void> {
    const until = now() + comingMs;
    let shouldResend = anew;
    while (now() < until) {
      const state = await ask(through, storage, shouldResend);
      if (state === 'there') return;
      if (state !== 'coming') throw new FetchFailed(reasons[state]);
      shouldResend = false;
      await pause(askAgainMs, undefined, { ref: false });
    }
    throw new FetchFailed('The origin takes too long to send the content of a file.');
  }

  async function bring(storage: string, size: number): Promise<void> {
    const through = session();
    if (!through) throw new FetchFailed('There is no connection over which to fetch the content of a file.');
    const receive = () =>
      cache.receive(storage, size, (write) => getContent(through, { storage, size }, write));
    let isDamaged = false;
    try {
      if (await receive()) return;
    } catch (error) {
      if (!(error instanceof DamagedObject)) throw error;
      isDamaged = true;
      log.warn(
        { err: error },
        'The engine has a damaged copy of a file. It is requested from the origin again.',
      );
    }
    await waitFor(through, storage, isDamaged);
    if (!(await receive())) throw new FetchFailed(reasons.gone);
  }

  async function begin(storage: string, size: number): Promise<void> {
    try {
      await limited(() => bring(storage, size));
      // Its file may have been deleted meanwhile.
      if (!isStored(storage)) await cache.keepOnly(isStored);
    } catch (error) {
      const { message } =
        error instanceof FetchFailed || error instanceof NoRoom || error instanceof DamagedObject
          ? error
          : asFailure(error, membership);
      if (now() - (said.get(message) ?? 0) >= sayMs) log.warn({ err: error }, message);
      said.set(message, now());
    } finally {
      fetching.delete(storage);
    }
  }

  return {
    async open({ storage, size }) {
      const found = await cache.open(storage, size);
      if (found) return found;
      const fetched = fetching.get(storage) ?? begin(storage, size);
      fetching.set(storage, fetched);
      await Promise.race([fetched, pause(waitMs, undefined, { ref: false })]);
      return cache.open(storage, size);
    },
    /** To be called when files may have been deleted. */
    sweep: (): Promise<void> => cache.keepOnly(isStored),
  } satisfies SharedFiles & { sweep(): Promise<void> };
}
