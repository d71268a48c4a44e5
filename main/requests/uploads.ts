import type { ApiReply, Unreachable } from '../../preload/contract.ts';
import type { Instances } from '../instances/instances.ts';
import { keyFor } from '../instances/key-for.ts';
import type { Target } from '../instances/target.ts';
import type { Secrets } from '../storage/secrets.ts';
import { accountHeader } from './account-header.ts';
import { apiAddress } from './api-address.ts';
import { Cancelled, reasonOf, replyFrom, unreachable } from './api-reply.ts';
import { Refused } from './refused.ts';

/** Streams the page's files to the instances in chunks, so that neither side buffers more than a few. */
export interface Uploads {
  /** Starts a POST of `size` bytes, whose chunks follow. */
  begin(instanceId: string, uploadId: string, path: string, size: number, account?: number): void;
  /** Resolves when the next chunk may be sent; false if the server has already replied and wants no more. */
  part(uploadId: string, bytes: Uint8Array): Promise<boolean>;
  /** Resolves to the reply after the last chunk. */
  end(uploadId: string): Promise<ApiReply | Unreachable>;
  cancel(uploadId: string): void;
  /** Called when the page is gone. */
  cancelAll(): void;
}

/** Options of a streamed request. */
interface StreamInit {
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array>;
  signal: AbortSignal;
}

/** POSTs a stream to instances of one kind. Rejects like `fetch`. */
export type StreamSender = (address: string, init: StreamInit) => Promise<Response>;

interface Options {
  instances: Instances;
  secrets: Secrets;
  senders: Record<Target['kind'], StreamSender>;
  /** For tests: the idle timeout, in milliseconds. */
  idleMs?: number;
}

interface Upload {
  readonly size: number;
  readonly parts: WritableStreamDefaultWriter<Uint8Array>;
  readonly stop: AbortController;
  readonly reply: Promise<ApiReply | Unreachable>;
  readonly isAnswered: () => boolean;
  given: number;
  timer: NodeJS.Timeout | undefined;
}

/** The page uploads one file at a time; this leaves some slack. */
const MAX_AT_ONCE = 4;
/** Idle timeout for the server to accept a chunk, and to reply after the last one. */
const PATIENCE = 60_000;
/** Endpoints that take a file as their body; all others are JSON and go through ApiRequests. */
const takesFile = /^\/api\/(files\/upload\/[^/]+|backup\/upload|setup\/backup)(\?|$)/;

export function uploads({ instances, secrets, senders, idleMs = PATIENCE }: Options): Uploads {
  const underWay = new Map<string, Upload>();

  async function send(
    instanceId: string,
    path: string,
    size: number,
    account: number | undefined,
    body: ReadableStream<Uint8Array>,
    signal: AbortSignal,
  ): Promise<ApiReply | Unreachable> {
    const target = await instances.reachTarget(instanceId, signal);
    if (!target) return unreachable('offline', 'The server is not running.');
    const address = apiAddress(target.origin, path);
    if (!address) throw new Refused('Unknown API endpoint.');
    // A fresh instance has no key yet, and a previous one must not be sent.
    const key = path.startsWith('/api/setup/') ? undefined : await keyFor(secrets, target);
    signal.throwIfAborted();
    const headers = {
      accept: 'application/json',
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      ...(key !== undefined && { authorization: `Bearer ${key}`, ...accountHeader(account) }),
    };
    const { ok, reply } = await replyFrom(() => senders[target.kind](address, { headers, body, signal }));
    if (key !== undefined && (ok || reply.status === 401)) instances.noteKey(instanceId, ok);
    return reply;
  }

  function get(uploadId: string): Upload {
    const upload = underWay.get(uploadId);
    if (!upload) throw new Refused('Upload not found.');
    return upload;
  }

  /** Restarts the idle timer; it also covers a page that never fetches the reply. */
  function waitAnew(uploadId: string, upload: Upload): void {
    clearTimeout(upload.timer);
    upload.timer = setTimeout(() => {
      upload.stop.abort(new Error('nothing moves'));
      upload.timer = setTimeout(() => underWay.delete(uploadId), idleMs).unref();
    }, idleMs).unref();
  }

  function cancel(uploadId: string): void {
    const upload = underWay.get(uploadId);
    if (!upload) return;
    upload.stop.abort(new Cancelled());
    clearTimeout(upload.timer);
    underWay.delete(uploadId);
  }

  return {
    begin(instanceId, uploadId, path, size, account) {
      if (!takesFile.test(path)) throw new Refused('This endpoint does not accept a file.');
      if (underWay.has(uploadId)) throw new Refused('An upload with this name is already running.');
      if (underWay.size >= MAX_AT_ONCE) throw new Refused('Too many uploads are running.');
      const stop = new AbortController();
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      let isAnswered = false;
      const reply = send(instanceId, path, size, account, readable, stop.signal)
        .catch((error: unknown) => reasonOf(error, stop.signal))
        .finally(() => {
          isAnswered = true;
          // Unblock a writer that still waits for space.
          void readable.cancel().catch(() => {});
        });
      // Possibly never awaited: `end` is not called after a rejected chunk.
      reply.catch(() => {});
      const parts = writable.getWriter();
      parts.closed.catch(() => {});
      const upload: Upload = {
        size,
        parts,
        stop,
        reply,
        isAnswered: () => isAnswered,
        given: 0,
        timer: undefined,
      };
      underWay.set(uploadId, upload);
      waitAnew(uploadId, upload);
    },

    async part(uploadId, bytes) {
      const upload = get(uploadId);
      upload.given += bytes.byteLength;
      if (upload.given > upload.size) {
        upload.stop.abort(new Cancelled());
        throw new Refused('The file is larger than announced.');
      }
      waitAnew(uploadId, upload);
      if (upload.isAnswered()) return false;
      // Resolves when the chunk was accepted, or when the reply arrives first, after which nothing reads chunks.
      await Promise.race([upload.parts.write(bytes), upload.reply]).catch(() => {});
      waitAnew(uploadId, upload);
      return !upload.isAnswered();
    },

    async end(uploadId) {
      const upload = get(uploadId);
      waitAnew(uploadId, upload);
      try {
        if (!upload.isAnswered() && upload.given < upload.size) {
          upload.stop.abort(new Cancelled());
          throw new Refused('The file is smaller than announced.');
        }
        // Fails if the reply arrived before the end of the body, which is fine.
        upload.parts.close().catch(() => {});
        return await upload.reply;
      } finally {
        clearTimeout(upload.timer);
        underWay.delete(uploadId);
      }
    },

    cancel,
    cancelAll() {
      for (const uploadId of [...underWay.keys()]) cancel(uploadId);
    },
  };
}
