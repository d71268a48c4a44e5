import type { ApiReply, Desktop, Unreachable } from '../../preload/contract.ts';
import type { Destination } from './destination.ts';
import { ApiFailure } from './failure.ts';
import { randomId } from './random-id.ts';

interface Sending {
  readonly uploads: Desktop['uploads'];
  readonly to: Destination;
  readonly path: string;
  readonly file: Blob;
  /** Called with the progress, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/** Chunk size in bytes. */
const partSize = 512 * 1024;

/**
 * POSTs a file through the desktop app's main process in chunks, each sent once the previous one is in flight. Throws
 * ApiFailure, or an AbortError when `signal` aborts.
 */
export async function sendParts(sending: Sending): Promise<ApiReply> {
  const { uploads, to, path, file, signal } = sending;
  if (signal.aborted) throw givenUp();
  const uploadId = randomId();
  const abort = () => uploads.cancel(uploadId);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await uploads.begin(to.instanceId, uploadId, path, file.size, to.account);
    await pour(sending, uploadId);
    if (signal.aborted) throw givenUp();
    return replyOf(await uploads.end(uploadId));
  } catch (error) {
    uploads.cancel(uploadId);
    if (signal.aborted) throw givenUp();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function pour({ uploads, file, onProgress, signal }: Sending, uploadId: string): Promise<void> {
  for (let sent = 0; sent < file.size && !signal.aborted; ) {
    const part = await readPart(file, sent);
    if (!(await uploads.part(uploadId, part))) return;
    sent += part.byteLength;
    onProgress(sent / file.size);
  }
}

async function readPart(file: Blob, start: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(start, start + partSize).arrayBuffer());
  } catch (cause) {
    // The file was changed, moved or deleted after it was selected.
    throw Object.assign(new ApiFailure('refused', 'The file can no longer be read. Choose it again.'), {
      cause,
    });
  }
}

function replyOf(reply: ApiReply | Unreachable): ApiReply {
  if ('unreachable' in reply) {
    throw new ApiFailure('unreachable', 'The connection was lost while the file was sent.', {
      code: reply.unreachable,
    });
  }
  return reply;
}

function givenUp(): DOMException {
  return new DOMException('The upload was given up.', 'AbortError');
}
