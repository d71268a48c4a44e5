import type { ApiReply, Unreachable } from '../../preload/contract.ts';
import { BodyTooLarge, readBounded } from './bounded-body.ts';
import { CertificateChanged, certificateErrors } from './pinned-fetch.ts';

/** Why a request was given up: the page wanted it so. */
export class Cancelled extends Error {}

const MAX_BODY = 10 * 1024 * 1024;
/** Header values are shown or parsed as numbers by the page; nothing of use is longer. */
const MAX_HEADER = 200;
const PASSED_HEADERS = /^(content-type|retry-after|x-ratelimit-[a-z-]{1,30})$/;

/** A response as the page may see it. Throws BodyTooLarge, or what its stream failed with. */
export async function replyOf(response: Response): Promise<ApiReply> {
  return {
    status: response.status,
    headers: passedHeaders(response.headers),
    body: parsedOrNull((await readBounded(response, MAX_BODY)).toString('utf8')),
  };
}

/** Why there is no reply. Errors that are not about the network (a forbidden path) are thrown on. */
export function reasonOf(error: unknown, signal: AbortSignal): Unreachable {
  if (signal.aborted && signal.reason instanceof Cancelled) {
    return unreachable('cancelled', 'The request was given up.');
  }
  if (signal.aborted) return unreachable('timeout', 'The server took too long to answer.');
  if (error instanceof BodyTooLarge) {
    return unreachable('offline', 'The server sent more than this app is willing to read.');
  }
  if (error instanceof CertificateChanged) {
    return unreachable('changed', 'This server does not present the certificate that you accepted for it.');
  }
  if (isUntrusted(error)) {
    return unreachable('untrusted', 'This system does not trust the certificate of this server.');
  }
  if (chromiumCode(error) === 'net::ERR_UNSAFE_PORT') {
    return unreachable(
      'offline',
      'Browsers connect to no server at this port. Have the server listen at another one.',
    );
  }
  // The fetchers say so when there is no usable answer: nobody listens, the line broke, a redirect came.
  if (error instanceof TypeError) return unreachable('offline', 'The server does not answer.');
  throw error;
}

export function unreachable(reason: Unreachable['unreachable'], message: string): Unreachable {
  return { unreachable: reason, message };
}

/** What Chromium says as the cause of a failure: a code such as `net::ERR_CONNECTION_REFUSED`. */
function chromiumCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? /^net::ERR_[A-Z_]+/.exec(cause.message)?.[0] : undefined;
}

/** Whether a fetcher that goes by the system's authorities was shown a certificate that is not good. */
function isUntrusted(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return /^net::ERR_CERT_/.test(chromiumCode(error) ?? '') || certificateErrors.test(code ?? '');
}

function passedHeaders(headers: Headers): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (PASSED_HEADERS.test(name)) passed[name] = value.slice(0, MAX_HEADER);
  }
  return passed;
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Empty, or a proxy's HTML page: the page reports what the status says.
    return null;
  }
}
