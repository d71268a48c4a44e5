import type { ApiReply, Unreachable } from '../../preload/contract.ts';
import { BodyTooLarge, readBounded } from './bounded-body.ts';
import { CertificateChanged, certificateErrors } from './pinned-fetch.ts';

/** The abort reason for requests cancelled by the page. */
export class Cancelled extends Error {}

/** The server sent no usable response; see `cause`. */
class NoAnswer extends Error {}

const MAX_BODY = 10 * 1024 * 1024;
/** The page displays header values or parses them as numbers; no useful value is longer. */
const MAX_HEADER = 200;
const PASSED_HEADERS = /^(content-type|retry-after|x-ratelimit-[a-z-]{1,30})$/;

/**
 * Runs `exchange` and returns its response in the form that the page sees. Network failures are thrown as errors that
 * `reasonOf` translates; bugs in this app are rethrown as they are.
 */
export async function replyFrom(
  exchange: () => Promise<Response>,
): Promise<{ ok: boolean; reply: ApiReply }> {
  let response: Response;
  let text: string;
  try {
    response = await exchange();
    text = (await readBounded(response, MAX_BODY)).toString('utf8');
  } catch (cause) {
    throw new NoAnswer('there is no usable answer', { cause });
  }
  const { ok, status } = response;
  return { ok, reply: { status, headers: passedHeaders(response.headers), body: parsedOrNull(text) } };
}

/** Why there is no reply. Rethrows errors unrelated to the server (a forbidden path, a bug). */
export function reasonOf(error: unknown, signal: AbortSignal): Unreachable {
  if (signal.aborted && signal.reason instanceof Cancelled) {
    return unreachable('cancelled', 'Cancelled.');
  }
  if (signal.aborted) return unreachable('timeout', 'The server took too long to answer.');
  if (!(error instanceof NoAnswer)) throw error;
  const { cause } = error;
  if (cause instanceof BodyTooLarge) {
    return unreachable('offline', 'The response is too large.');
  }
  if (cause instanceof CertificateChanged) {
    return unreachable('changed', "This server's certificate is not the one you accepted.");
  }
  if (isUntrusted(cause)) {
    return unreachable('untrusted', "This system does not trust this server's certificate.");
  }
  if (chromiumCode(cause) === 'net::ERR_UNSAFE_PORT') {
    return unreachable('offline', 'Browsers block this port. Have the server listen on another one.');
  }
  // Connection refused, connection lost, or a redirect.
  return unreachable('offline', 'The server is not responding.');
}

export function unreachable(reason: Unreachable['unreachable'], message: string): Unreachable {
  return { unreachable: reason, message };
}

/** Chromium's error code from the cause, such as `net::ERR_CONNECTION_REFUSED`. */
function chromiumCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? /^net::ERR_[A-Z_]+/.exec(cause.message)?.[0] : undefined;
}

/** Whether certificate validation against the system's trust store failed. */
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
    // Empty, or a proxy's HTML page: the page reports the status.
    return null;
  }
}
