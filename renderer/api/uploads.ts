import type { AnyEndpoint, ReplyOf } from '../../server/contract/endpoint.ts';
import { type CallOptions, filledPath, queryString, readReply } from './client.ts';
import type { Destination } from './destination.ts';
import type { Transport } from './transport.ts';

interface UploadWay {
  readonly transport: Transport;
  readonly destination: () => Destination;
  /** The key is missing, expired or revoked. */
  readonly onUnauthorized: (instanceId: string) => void;
}

let installed: UploadWay | undefined;

/** Called once at startup, alongside `installClient`. */
export function installUploads(way: UploadWay): void {
  installed = way;
}

/**
 * Uploads a file as the body of an endpoint, to the active account unless another one is given; `options` has the path
 * and query parameters. Throws ApiFailure, or an AbortError when `signal` aborts.
 */
export async function upload<E extends AnyEndpoint>(
  endpoint: E,
  { params, query }: Pick<CallOptions<E>, 'params' | 'query'>,
  file: Blob,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
  to: Destination | undefined = installed?.destination(),
): Promise<ReplyOf<E>> {
  if (!installed || !to) throw new Error('The uploads are not installed.');
  const path = filledPath(endpoint.path, params) + queryString(query);
  const reply = await installed.transport.upload(to, path, file, onProgress, signal);
  if (reply.status === 401 && endpoint.access !== 'public') installed.onUnauthorized(to.instanceId);
  return readReply(endpoint, reply);
}
