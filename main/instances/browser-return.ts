import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refused } from '../requests/refused.ts';
import { returnPage } from './return-page.ts';

/** The browser's response; `tell` shows the outcome in the browser and may be called once. */
interface Returned {
  readonly answer: { readonly code: string } | { readonly error: string };
  tell(title: string, text: string): void;
}

export interface BrowserReturn {
  /** The redirect URI to register with the instance's authorization page. */
  readonly redirectUri: string;
  /** Rejects with the signal's reason, or with Refused if the response comes from another instance. */
  readonly returned: Promise<Returned>;
  close(): void;
}

interface Expected {
  /** The `state` that a valid response must carry. */
  state: string;
  /** The expected issuer: the origin of the instance. */
  issuer: string;
  signal: AbortSignal;
}

const path = '/signed-in';

/**
 * Listens on a free port of 127.0.0.1 for one redirect from the browser (RFC 8252, section 7.3). All other requests,
 * such as port scans or guessed states, are rejected without effect. Throws Refused if no port can be opened.
 */
export async function browserReturn({ state, issuer, signal }: Expected): Promise<BrowserReturn> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, answer);
  server.maxConnections = 20;
  // It may reject before anyone awaits it.
  const { promise: returned, resolve, reject } = Promise.withResolvers<Returned>();
  returned.catch(() => {});
  let isOver = false;

  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening', { signal });
  } catch (cause) {
    close();
    signal.throwIfAborted();
    const why = cause instanceof Error ? cause.message : 'unknown';
    throw new Refused(
      `This computer gave the app no port to wait for the browser (${why}). Try again, or sign in another way.`,
    );
  }
  const { port } = server.address() as AddressInfo;
  const giveUp = () => {
    reject(signal.reason);
    close();
  };
  signal.addEventListener('abort', giveUp, { once: true });

  function close(): void {
    isOver = true;
    signal.removeEventListener('abort', giveUp);
    server.close();
    server.closeIdleConnections();
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    // Not parsed as a URL, because untrusted requests may contain an invalid one.
    const [asked, query] = (request.url ?? '').split('?', 2);
    const isHere = request.headers.host === `127.0.0.1:${port}`;
    if (request.method !== 'GET' || !isHere || asked !== path) {
      send(response, 404, returnPage());
      return;
    }
    const given = onlyOnes(new URLSearchParams(query));
    if (isOver || given.state !== state) {
      const text = 'This is not the sign-in that Waypost waits for. Start again in the app.';
      send(response, 400, returnPage('Not signed in', text));
      return;
    }
    isOver = true;
    if (given.iss !== issuer) {
      const text = otherInstance(issuer, given.iss);
      send(response, 400, returnPage('Not signed in', text));
      reject(new Refused(text));
      return;
    }
    resolve({
      answer: given.code === undefined ? { error: given.error ?? 'no answer' } : { code: given.code },
      tell: (title, text) => send(response, 200, returnPage(title, text)),
    });
  }

  return { redirectUri: `http://127.0.0.1:${port}${path}`, returned, close };
}

/** The parameters that occur exactly once; repeated ones are ambiguous and ignored. */
function onlyOnes(params: URLSearchParams): Partial<Record<string, string>> {
  const once = [...params].filter(([name]) => params.getAll(name).length === 1);
  return Object.fromEntries(once);
}

function otherInstance(issuer: string, given: string | undefined): string {
  const other =
    given !== undefined && URL.canParse(given) ? new URL(given).host.slice(0, 100) : 'another server';
  return `You chose ${new URL(issuer).host}, but the answer came from ${other}. Nothing was sent. Check the URL of the instance and start again.`;
}

function send(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(page);
}
