import type { AnyEndpoint, ReplyOf } from '../../server/contract/endpoint.ts';
import { type CallOptions, filledPath, queryString, readReply } from './client.ts';
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

/**
 * Sends a file as the body of an endpoint of the instance that is shown now; `options` name what the path and the query
 * hold. Throws ApiFailure, or an AbortError when `signal` aborts.
 */
export async function upload<E extends AnyEndpoint>(
  endpoint: E,
  { params, query }: Pick<CallOptions<E>, 'params' | 'query'>,
  file: Blob,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<ReplyOf<E>> {
  if (!installed) throw new Error('The uploads are not installed.');
  const instanceId = installed.instanceId();
  const path = filledPath(endpoint.path, params) + queryString(query);
  const reply = await installed.transport.upload(instanceId, path, file, onProgress, signal);
  if (reply.status === 401 && endpoint.access !== 'public') installed.onUnauthorized(instanceId);
  return readReply(endpoint, reply);
}
