import { isIP } from 'node:net';
import { type Dispatcher, request } from 'undici';
import { Refusal, rejected, unavailable } from '../errors.ts';
import { fileTooLarge, mediaType, readStart, readUpTo } from './content.ts';
import { guardedConnections, portOf, requestHeaders } from './guarded-connections.ts';
import { type NameLookup, nameLookup } from './name-lookup.ts';

interface Fetched {
  body: Buffer;
  /** Media type in lower case without parameters, as the other server claims; '' when it claims none. */
  type: string;
}

interface GetOptions {
  /** Bytes that are read at most. */
  maxBytes: number;
  /** The field of the caller's request that the address came in, for the refusal. */
  field: string;
  /** Who wants it: an account, or a part of the server that fetches by itself. */
  party: string;
}

/** As with `GetOptions`. */
interface LookOptions {
  totalMs: number;
  party: string;
}

/** What a site says about a page before the page itself. */
export interface Looked {
  /** The page's own address, after redirects. */
  url: URL;
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What a host answers at one address. */
export interface Probed {
  status: number;
  /** As much of the content as was asked for. */
  body: string;
}

/** What became of asking whether a page is there. */
export type Checked = { status: number } | { failure: 'dns' | 'tls' | 'refused' };

interface ProbeOptions {
  /** The address to connect to, whatever the name resolves to by now. */
  address: string;
  maxBytes: number;
  totalMs: number;
  party: string;
}

export interface Fetcher {
  /**
   * The content of an address that a user chose. Throws 400 `unreachable_url` in one wording for whatever went wrong,
   * so that nobody can map a network with it, 400 `file_too_large`, or 503 when too much is under way for this party.
   */
  get(url: string, options: GetOptions): Promise<Fetched>;
  /**
   * The headers of a page, after redirects; its content is left where it is. Undefined for whatever went wrong, at the
   * latest after `totalMs` milliseconds.
   */
  look(url: string, options: LookOptions): Promise<Looked | undefined>;
  /**
   * Whether a page is there: the status after redirects, by HEAD, and by GET where that is no success; or why nothing
   * answers: its name does not exist, its certificate is not valid, nobody listens. Undefined for whatever else went
   * wrong, and for what may not be asked: neither says anything of the page.
   */
  check(url: string, options: LookOptions): Promise<Checked | undefined>;
  /**
   * What the host of a URL answers at one of its addresses. Redirects are followed to the same host alone: where
   * another one is named, the redirect itself is the answer. Undefined when nothing answers, or the address may not be
   * asked; throws 503 when too much is under way for this party, which says nothing of the host.
   */
  probe(url: string, options: ProbeOptions): Promise<Probed | undefined>;
  /**
   * Posts a message and returns the status of the answer, whose content is left where it is. Redirects are not
   * followed: the signature is for whoever was named. Undefined for whatever went wrong. Throws 503 when too much is
   * under way: nothing was sent then.
   */
  post(url: string, message: Posted): Promise<number | undefined>;
  /**
   * One request of a protocol, with a service that an administrator named. Redirects are not followed. Throws 400
   * `unreachable_url`, 400 `file_too_large`, or 503 when too much is under way for this party.
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
  /** The field that the address was entered in, for the refusal. */
  field: string;
  party: string;
}

/** A message to an address that a user chose. */
interface Posted {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Milliseconds for all of it. */
  totalMs: number;
  /** Gives it up; the answer is then undefined. */
  signal?: AbortSignal;
}

interface Options {
  /** Ranges that are not public and may be asked all the same, by the administrator's choice. */
  allowedRanges: () => readonly string[];
  /** Ports that may be asked anywhere; tests listen on others. */
  ports?: readonly number[];
  /** Every address of a name; tests bring their own. */
  lookup?: NameLookup;
  /** Milliseconds for connecting, name look-up included, and for all of it. */
  connectMs?: number;
  totalMs?: number;
}

/** Requests for content under way at once; a party gets no more than its part of the places that are free. */
const mostAtOnce = 32;
const share = 1 / 4;
/** Messages under way at once; whoever sends them shares them out among accounts. */
const mostPosts = 32;

/**
 * The only door for outgoing requests (decision 0034; T-14): avatars, logos, icons, titles.
 * No cookies, no credentials, no decompression, no proxy from the environment.
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
      // Unreachable, not allowed, too slow or too much at once: nothing is known, and why is nobody's business.
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
        // Many pages are not prepared for HEAD.
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

  /** Runs a request in one of the places for its party. Throws 503 when there is none. */
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
      // As with `look`: why is nobody's business.
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

/**
 * Why nothing answers, as far as that says something of the other side; undefined where it may be us, or the way there.
 */
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

/** Programs that take webhooks listen on ports of their own; the system's services below 1024 are none of them. */
const mayPostTo = (port: number) => port === 80 || port === 443 || port >= 1024;

function unreachable(field: string): Refusal {
  return rejected(
    'unreachable_url',
    field,
    'This URL could not be fetched. Use a public http or https URL that responds within a few seconds.',
  );
}
