import type { AnyEndpoint, QueryInput, ReplyOf } from '../../server/contract/endpoint.ts';
import { type UploadQuery, uploadFile } from '../../server/contract/files.ts';
import { filledPath, queryString, readReply } from './client.ts';
import { ApiFailure } from './failure.ts';
import type { Transport } from './transport.ts';

interface UploadWay {
  readonly transport: Transport;
  readonly instanceId: () => string;
  /** The key is missing, expired or revoked. */
  readonly onUnauthorized: (instanceId: string) => void;
}

let installed: UploadWay | undefined;

/** Done once at the start, beside `installClient`. */
export function installUploads(way: UploadWay): void {
  installed = way;
}

/** Whether files can be sent from here; in the desktop they cannot. */
export function canUpload(): boolean {
  return installed?.transport.upload !== undefined;
}

/** Sends a file as the body of an endpoint. Throws ApiFailure, or an AbortError when `signal` aborts. */
export async function uploadTo<E extends AnyEndpoint>(
  endpoint: E,
  query: QueryInput<E>,
  file: Blob,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<ReplyOf<E>> {
  if (!installed?.transport.upload) throw new ApiFailure('unreachable', 'Files cannot be sent from here.');
  const instanceId = installed.instanceId();
  const path = filledPath(endpoint.path) + queryString(query);
  const reply = await installed.transport.upload(instanceId, path, file, onProgress, signal);
  if (reply.status === 401 && endpoint.access !== 'public') installed.onUnauthorized(instanceId);
  return readReply(endpoint, reply);
}

/** Sends a file to the instance that is shown now. Throws ApiFailure, or an AbortError when `signal` aborts. */
export async function upload(
  file: File,
  query: UploadQuery,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<ReplyOf<typeof uploadFile>> {
  if (!installed?.transport.upload) throw new ApiFailure('unreachable', 'Files cannot be sent from here.');
  const instanceId = installed.instanceId();
  const path = filledPath(uploadFile.path, { filename: file.name }) + queryString(query);
  const reply = await installed.transport.upload(instanceId, path, file, onProgress, signal);
  if (reply.status === 401) installed.onUnauthorized(instanceId);
  return readReply(uploadFile, reply);
}
