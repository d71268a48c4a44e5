import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isEncrypted } from '../../platform/http/encryption.ts';
import { readHost } from '../../platform/http/hosts.ts';
import { refuse } from '../../platform/http/refuse.ts';

interface Options {
  /** Whether an administrator agreed that keys and passwords travel in the clear. */
  allowsInsecure: () => boolean;
  /** The addresses that this machine has in its networks. */
  ownAddresses: () => readonly string[];
  /** Whether a name is ours in the local network only, which no proxy forwards. */
  isSharedName: (name: string) => boolean;
  /** The HTTPS port on the same addresses; undefined if there is none. */
  httpsPort: () => number | undefined;
  rateHeadersOf: (request: IncomingMessage) => Record<string, string>;
}

/** Responses that need no key, so that clients can identify the server. */
const openPaths = /^\/api\/(health|meta|openapi\.json)(\?|$)/;

const loopback = ['127.0.0.1', '::1'];

/**
 * Keeps keys and passwords off the wire (T-05): unencrypted requests of other machines to the API and the admin pages
 * are rejected or redirected to HTTPS. Short links and public pages work with both. Requests from this machine to its
 * own address never leave it.
 */
export function insecureGuard({
  allowsInsecure,
  ownAddresses,
  isSharedName,
  httpsPort,
  rateHeadersOf,
}: Options) {
  function isExposed({ socket }: IncomingMessage): boolean {
    const from = unmapped(socket.remoteAddress ?? '');
    return !allowsInsecure() && !loopback.includes(from) && !ownAddresses().includes(from);
  }

  /**
   * The same for the listeners given at startup, which may be on every address (`--host 0.0.0.0`): what a proxy
   * forwards for a configured name is up to its administrator; requests with a local network name are not.
   */
  function isExposedByName(request: IncomingMessage): boolean {
    if (isEncrypted(request) || !isExposed(request)) return false;
    const host = readHost(request);
    return host !== undefined && isSharedName(host.name);
  }

  /** The same over HTTPS; undefined if there is none. */
  function secureAddress(request: IncomingMessage): string | undefined {
    const port = httpsPort();
    const host = readHost(request);
    return port === undefined || !host ? undefined : `https://${host.name}:${port}`;
  }

  const guardFor = (isMeant: (request: IncomingMessage) => boolean) => ({
    api:
      (answer: RequestListener): RequestListener =>
      (request, response) => {
        if (!isMeant(request) || openPaths.test(request.url ?? '')) {
          answer(request, response);
          return;
        }
        const secure = secureAddress(request);
        const way = secure
          ? `Use ${secure}.`
          : 'HTTPS is not available here right now. An administrator can find the reason in the settings, under Sharing.';
        const message = `Keys are taken over HTTPS only. ${way}`;
        refuse(response, 403, message, 'encryption_required', rateHeadersOf(request));
      },

    admin:
      (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
      (request: IncomingMessage, response: ServerResponse): void => {
        if (!isMeant(request)) {
          answer(request, response);
          return;
        }
        const address = `${secureAddress(request) ?? ''}${request.url ?? ''}`;
        if (!URL.canParse(address)) {
          refuse(response, 403, 'These pages are only available over HTTPS.', 'encryption_required');
          return;
        }
        response.writeHead(307, {
          Location: new URL(address).href,
          'Cache-Control': 'private, no-store',
          'Content-Length': 0,
          Connection: 'close',
        });
        response.end();
      },
  });

  return {
    /** For listeners in the local network, which sharing opens. */
    shared: guardFor(isExposed),
    /** For those that the start opens. */
    own: guardFor(isExposedByName),
  };
}

/** A listener on `::` sees IPv4 addresses in IPv6 form. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
