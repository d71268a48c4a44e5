import type { IncomingMessage } from 'node:http';
import { isInRanges } from './addresses.ts';

/** Whether a request came over TLS that ends here: what the interface goes by, whoever stands in between. */
export function isEncrypted({ socket }: IncomingMessage): boolean {
  return 'encrypted' in socket;
}

/**
 * Whether a visitor's connection is encrypted: by us, or by a proxy that is trusted and says so. Of several hops the
 * last one counts, which that proxy wrote itself.
 */
export function isSecure(request: IncomingMessage, trustedProxies: readonly string[]): boolean {
  if (isEncrypted(request)) return true;
  if (!isInRanges(request.socket.remoteAddress ?? '', trustedProxies)) return false;
  const hops = String(request.headers['x-forwarded-proto'] ?? '').split(',');
  return hops.at(-1)?.trim().toLowerCase() === 'https';
}
