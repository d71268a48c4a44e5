import type { ApiReply, Unreachable } from '../../preload/contract.ts';
import type { Instances } from '../instances/instances.ts';
import { keyFor } from '../instances/key-for.ts';
import type { Target } from '../instances/target.ts';
import type { Secrets } from '../storage/secrets.ts';
import { accountHeader } from './account-header.ts';
import { apiAddress } from './api-address.ts';
import { Cancelled, reasonOf, replyFrom, unreachable } from './api-reply.ts';
import { Refused } from './refused.ts';

/** Sends the files of the page to the instances, part by part, so that neither side ever holds more than a few. */
export interface Uploads {
  /** Begins a POST of `size` bytes; its parts follow. */
  begin(instanceId: string, uploadId: string, path: string, size: number, account?: number): void;
  /** Resolves when the next part may come; false when no more is wanted, because the answer is here already. */
  part(uploadId: string, bytes: Uint8Array): Promise<boolean>;
  /** The reply, after the last part. */
  end(uploadId: string): Promise<ApiReply | Unreachable>;
  cancel(uploadId: string): void;
  /** For when the page is gone and nobody sends any more. */
  cancelAll(): void;
}

/** What of a request is sent along with a stream of bytes. */
interface StreamInit {
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array>;
  signal: AbortSignal;
}

/** POSTs a stream to instances of one kind. Fails like `fetch`. */
export type StreamSender = (address: string, init: StreamInit) => Promise<Response>;

interface Options {
  instances: Instances;
  secrets: Secrets;
  senders: Record<Target['kind'], StreamSender>;
  /** For tests: how long nothing may move, in milliseconds. */
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

/** One of the page's own and some to spare: it sends one file after the other. */
const MAX_AT_ONCE = 4;
/** A part may wait for this long for the server to take the one before, and the reply for as long after the last. */
const PATIENCE = 60_000;
/** The endpoints that take a file as their body; everything else is JSON and goes another way. */
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
    // Of a fresh instance there is no key yet, and one from before has no business there.
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

  /** Gives up when nothing moves; a page that does not come for the reply then is not waited for either. */
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
          // Whoever still waits for room gets to know that none is needed.
          void readable.cancel().catch(() => {});
        });
      // Nobody may come for it: `end` is not called after a refused part.
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
      // Resolves when the part was taken over; the answer may come first, and then nobody takes it.
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
        // Fails when the answer is here before the end, which is no fault.
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
