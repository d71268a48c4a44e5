import type { IncomingMessage } from 'node:http';
import { isInRanges } from './addresses.ts';

/** Whether a request arrived over TLS that ends here; the API relies on this, regardless of proxies. */
export function isEncrypted({ socket }: IncomingMessage): boolean {
  return 'encrypted' in socket;
}

/**
 * Whether a visitor's connection is encrypted: directly, or according to a trusted proxy. Of several hops the last one
 * counts, which that proxy wrote itself.
 */
export function isSecure(request: IncomingMessage, trustedProxies: readonly string[]): boolean {
  if (isEncrypted(request)) return true;
  if (!isInRanges(request.socket.remoteAddress ?? '', trustedProxies)) return false;
  const hops = String(request.headers['x-forwarded-proto'] ?? '').split(',');
  return hops.at(-1)?.trim().toLowerCase() === 'https';
}
