import { isIP } from 'node:net';
import { type Dispatcher, request } from 'undici';
import { Refusal, rejected, unavailable } from '../errors.ts';
import { fileTooLarge, mediaType, readStart, readUpTo } from './content.ts';
import { guardedConnections, portOf, requestHeaders } from './guarded-connections.ts';
import { type NameLookup, nameLookup } from './name-lookup.ts';

interface Fetched {
  body: Buffer;
  /** Media type in lower case without parameters, as sent by the server; '' if it sent none. */
  type: string;
}

interface GetOptions {
  /** The maximum number of bytes to read. */
  maxBytes: number;
  /** The request field that contained the URL, for error messages. */
  field: string;
  /** The requesting party: an account, or a part of the server that fetches on its own. */
  party: string;
}

/** As with `GetOptions`. */
interface LookOptions {
  totalMs: number;
  party: string;
}

/** A page's response headers. */
export interface Looked {
  /** The page's final URL, after redirects. */
  url: URL;
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A host's response at one of its URLs. */
export interface Probed {
  status: number;
  /** The content, up to the requested length. */
  body: string;
}

/** The result of checking whether a page exists. */
export type Checked = { status: number } | { failure: 'dns' | 'tls' | 'refused' };

interface ProbeOptions {
  /** The address to connect to, whatever the name resolves to now. */
  address: string;
  maxBytes: number;
  totalMs: number;
  party: string;
}

export interface Fetcher {
  /**
   * The content at a URL that a user chose. Throws 400 `unreachable_url` with the same message for every failure, so
   * that nobody can map a network with it, 400 `file_too_large`, or 503 if this party has too many requests in
   * progress.
   */
  get(url: string, options: GetOptions): Promise<Fetched>;
  /**
   * The headers of a page, after redirects, without its content. Undefined on any failure, at the latest after
   * `totalMs` milliseconds.
   */
  look(url: string, options: LookOptions): Promise<Looked | undefined>;
  /**
   * Whether a page exists: the status after redirects, by HEAD, or by GET if HEAD does not succeed; or why there is no
   * response: the name does not exist, the certificate is invalid, the connection is refused. Undefined for other
   * failures and for forbidden addresses, which say nothing about the page.
   */
  check(url: string, options: LookOptions): Promise<Checked | undefined>;
  /**
   * A host's response at one of its URLs. Redirects are followed on the same host only: a redirect to another host is
   * itself the result. Undefined if there is no response, or the address is forbidden; throws 503 if this party has
   * too many requests in progress, which says nothing about the host.
   */
  probe(url: string, options: ProbeOptions): Promise<Probed | undefined>;
  /**
   * Posts a message and returns the status of the response, ignoring its body. Redirects are not followed: the
   * signature is for the original URL only. Undefined on any failure. Throws 503 if too many are in progress: nothing
   * was sent then.
   */
  post(url: string, message: Posted): Promise<number | undefined>;
  /**
   * A protocol request to a service that an administrator configured. Redirects are not followed. Throws 400
   * `unreachable_url`, 400 `file_too_large`, or 503 if this party has too many requests in progress.
   */
  exchange(
    url: string,
    message: Exchanged,
  ): Promise<{ status: number; headers: Record<string, string>; body: Buffer }>;
}

interface Exchanged {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
  maxBytes: number;
  /** The field that contained the URL, for error messages. */
  field: string;
  party: string;
}

/** A message to a URL that a user chose. */
interface Posted {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Milliseconds in total. */
  totalMs: number;
  /** Aborts it; the result is then undefined. */
  signal?: AbortSignal;
}

interface Options {
  /** Private ranges that the administrator allows. */
  allowedRanges: () => readonly string[];
  /** Ports that are always allowed; tests use others. */
  ports?: readonly number[];
  /** Resolves all addresses of a name; tests pass their own. */
  lookup?: NameLookup;
  /** Milliseconds for connecting, including name resolution, and in total. */
  connectMs?: number;
  totalMs?: number;
}

/** Concurrent content requests; a party gets at most its share of the free places. */
const mostAtOnce = 32;
const share = 1 / 4;
/** Concurrent messages; the sender distributes them among accounts. */
const mostPosts = 32;

/**
 * The only client for outgoing requests (decision 0034; T-14): avatars, logos, icons, titles. No cookies, no
 * credentials, no decompression, no proxy from the environment.
 */
export function fetcher(options: Options): Fetcher {
  const { allowedRanges, ports = [80, 443], connectMs = 3_000, totalMs = 10_000 } = options;
  const lookup = options.lookup ?? nameLookup();
  const { withAgent, arrive, mayAsk, readUrl } = guardedConnections({
    allowedRanges,
    ports,
    lookup,
    connectMs,
  });
  const held = new Map<string, number>();
  let underWay = 0;
  let posting = 0;

  async function get(address: string, { maxBytes, field, party }: GetOptions): Promise<Fetched> {
    try {
      return await fetched(party, totalMs, async (agent, signal) => {
        const arrived = await arrive(address, agent, signal);
        if (arrived?.reply.statusCode !== 200) throw unreachable(field);
        const { headers, body } = arrived.reply;
        const encoding = headers['content-encoding'];
        if (encoding !== undefined && encoding !== 'identity') throw unreachable(field);
        if (Number(headers['content-length'] ?? 0) > maxBytes) throw fileTooLarge(maxBytes, field);
        return { body: await readUpTo(body, maxBytes, field), type: mediaType(headers['content-type']) };
      });
    } catch (error) {
      throw error instanceof Refusal ? error : unreachable(field);
    }
  }

  async function look(address: string, { totalMs: most, party }: LookOptions): Promise<Looked | undefined> {
    try {
      return await fetched(party, most, async (agent, signal) => {
        const arrived = await arrive(address, agent, signal);
        if (!arrived) return undefined;
        arrived.reply.body.destroy();
        return { url: arrived.url, status: arrived.reply.statusCode, headers: arrived.reply.headers };
      });
    } catch {
      // Unreachable, forbidden, too slow or too many requests: the result is unknown, and the reason withheld, since it
      // would let callers probe the network.
      return undefined;
    }
  }

  async function check(address: string, { totalMs: most, party }: LookOptions): Promise<Checked | undefined> {
    try {
      return await fetched(party, most, async (agent, signal) => {
        const ask = async (method: 'HEAD' | 'GET') => {
          const arrived = await arrive(address, agent, signal, { method });
          arrived?.reply.body.destroy();
          return arrived && { status: arrived.reply.statusCode };
        };
        // Many sites do not handle HEAD correctly.
        const head = await ask('HEAD').catch(() => undefined);
        return head !== undefined && head.status < 400 ? head : await ask('GET');
      });
    } catch (error) {
      const failure = failureOf(error);
      return failure && { failure };
    }
  }

  async function probe(
    address: string,
    { address: at, maxBytes, totalMs: most, party }: ProbeOptions,
  ): Promise<Probed | undefined> {
    const { hostname } = new URL(address);
    const onlyThere = async () => [{ address: at, family: isIP(at) }];
    try {
      return await fetched(
        party,
        most,
        async (agent, signal) => {
          const isSameHost = (url: URL) => url.hostname === hostname;
          const arrived = await arrive(address, agent, signal, { mayFollow: isSameHost });
          if (!arrived) return undefined;
          return { status: arrived.reply.statusCode, body: await readStart(arrived.reply.body, maxBytes) };
        },
        onlyThere,
      );
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // As with `look`.
      return undefined;
    }
  }

  /** Runs a request in one of its party's places. Throws 503 if there is none. */
  async function fetched<Result>(
    party: string,
    ms: number,
    work: (agent: Dispatcher, signal: AbortSignal) => Promise<Result>,
    lookUp?: NameLookup,
  ): Promise<Result> {
    const ofParty = held.get(party) ?? 0;
    if (ofParty >= (mostAtOnce - underWay) * share) throw tooMuch();
    held.set(party, ofParty + 1);
    underWay += 1;
    try {
      return await withAgent(ms, work, lookUp && { lookUp });
    } finally {
      underWay -= 1;
      const left = (held.get(party) ?? 1) - 1;
      if (left > 0) held.set(party, left);
      else held.delete(party);
    }
  }

  async function post(
    address: string,
    { headers, body, totalMs: most, signal: given }: Posted,
  ): Promise<number | undefined> {
    const url = readUrl(address);
    if (!url || !mayPostTo(portOf(url))) return undefined;
    if (posting >= mostPosts) throw tooMuch();
    posting += 1;
    try {
      return await withAgent(
        most,
        async (dispatcher, timeout) => {
          const reply = await request(url, {
            dispatcher,
            signal: given ? AbortSignal.any([timeout, given]) : timeout,
            method: 'POST',
            headers: { ...requestHeaders, ...headers },
            body,
          });
          reply.body.on('error', () => {});
          reply.body.destroy();
          return reply.statusCode;
        },
        { isForMessage: true },
      );
    } catch {
      // As with `look`: the reason is withheld.
      return undefined;
    } finally {
      posting -= 1;
    }
  }

  async function exchange(address: string, { method, headers, body, maxBytes, field, party }: Exchanged) {
    const url = readUrl(address);
    if (!url) throw unreachable(field);
    try {
      return await fetched(party, totalMs, async (dispatcher, signal) => {
        if (!mayAsk(url)) throw unreachable(field);
        const reply = await request(url, {
          dispatcher,
          signal,
          method,
          headers: { ...requestHeaders, ...headers },
          ...(body !== undefined && { body }),
        });
        reply.body.on('error', () => {});
        const said = Object.entries(reply.headers).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' ? [[name, value]] : [],
        );
        return {
          status: reply.statusCode,
          headers: Object.fromEntries(said),
          body: await readUpTo(reply.body, maxBytes, field),
        };
      });
    } catch (error) {
      throw error instanceof Refusal ? error : unreachable(field);
    }
  }

  return { get, look, check, probe, post, exchange };
}

/** Why there is no response, if the cause is on the other side; undefined if it may be our side or the network. */
function failureOf(error: unknown): 'dns' | 'tls' | 'refused' | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return undefined;
  if (code === 'ENOTFOUND') return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  const isTls = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/.test(code);
  return isTls ? 'tls' : undefined;
}

function tooMuch(): Refusal {
  return unavailable('The server is fetching too many URLs at once. Try again soon.');
}

/** Webhook receivers listen on ports of their own choice; those below 1024 belong to system services. */
const mayPostTo = (port: number) => port === 80 || port === 443 || port >= 1024;

function unreachable(field: string): Refusal {
  return rejected(
    'unreachable_url',
    field,
    'This URL could not be fetched. Use a public http or https URL that responds within a few seconds.',
  );
}
