import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { hasLongHost } from '../../contract/long-host.ts';
import { isInRanges } from '../http/addresses.ts';
import { boundedAnswers } from './bounded-answers.ts';
import type { NameLookup } from './name-lookup.ts';
import { isReachableAddress } from './public-address.ts';

interface Options {
  /** Private ranges that the administrator allows. */
  allowedRanges: () => readonly string[];
  /** Ports that are always allowed. */
  ports: readonly number[];
  /** Resolves all addresses of a name. */
  lookup: NameLookup;
  /** Milliseconds for connecting, including name resolution. */
  connectMs: number;
}

const mostRedirects = 3;
const longestUrl = 2048;

/**
 * Connections to permitted addresses only (T-14): the URL is checked before, and the resolved address in the
 * connection's own look-up, so a name that resolves differently the second time gains nothing.
 */
export function guardedConnections({ allowedRanges, ports, lookup, connectMs }: Options) {
  async function withAgent<Result>(
    ms: number,
    work: (agent: Dispatcher, signal: AbortSignal) => Promise<Result>,
    { lookUp = lookup, isForMessage = false }: { lookUp?: NameLookup; isForMessage?: boolean } = {},
  ): Promise<Result> {
    const bounds = { allowH2: false, timeout: Math.min(connectMs, ms) };
    const anywhere = buildConnector({ ...bounds, lookup: checkedLookup(lookUp, isReachableAddress) });
    const inRanges = buildConnector({ ...bounds, lookup: checkedLookup(lookUp, isInRanges) });
    // A new agent for each fetch: connections are not reused after the check that they were made under.
    const agent = new Agent({
      allowH2: false,
      connections: 1,
      maxHeaderSize: 16 * 1024,
      // Checked here and not by an earlier look-up: a name may resolve to an allowed range at first, and to another one
      // later.
      connect: (options, done) =>
        (isForMessage || options.port === '' || ports.includes(Number(options.port)) ? anywhere : inRanges)(
          options,
          done,
        ),
    });
    try {
      return await work(agent.compose(boundedAnswers), AbortSignal.timeout(ms));
    } finally {
      // `work` has already reported its errors; rejecting here would only repeat them.
      agent.destroy().catch(() => {});
    }
  }

  /**
   * The first response that is not a redirect, or one that may not be followed; undefined if an address on the way is
   * forbidden.
   */
  async function arrive(
    start: string,
    dispatcher: Dispatcher,
    signal: AbortSignal,
    {
      method = 'GET',
      mayFollow = () => true,
    }: { method?: 'GET' | 'HEAD'; mayFollow?: (url: URL) => boolean } = {},
  ) {
    let url = readUrl(start);
    for (let redirects = 0; url && redirects <= mostRedirects; redirects += 1) {
      if (!mayAsk(url)) return undefined;
      const reply = await request(url, { dispatcher, signal, method, headers: requestHeaders });
      // The agent is destroyed with the rest of a body; nothing listens to the resulting error.
      reply.body.on('error', () => {});
      const { location } = reply.headers;
      const leadsOn = [301, 302, 303, 307, 308].includes(reply.statusCode) && typeof location === 'string';
      const next = leadsOn ? URL.parse(location, url.href) : null;
      if (!leadsOn || (next && !mayFollow(next))) return { url, reply };
      reply.body.destroy();
      url = readUrl(next?.href ?? '');
    }
    return undefined;
  }

  /**
   * Whether a URL's port is permitted: web ports everywhere, and any port in the ranges that the administrator allows.
   * The resolved address is checked when connecting.
   */
  function mayAsk(url: URL): boolean {
    if (ports.includes(portOf(url))) return true;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return isIP(host) === 0 ? allowedRanges().length > 0 : isInRanges(host, allowedRanges());
  }

  /** A URL that is permitted as far as its text shows; literal IP addresses are not looked up. */
  function readUrl(text: string): URL | undefined {
    if (text.length > longestUrl || hasLongHost(text) || !/^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text))
      return undefined;
    const url = URL.parse(text);
    if (url?.username !== '' || url.password !== '') return undefined;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return isIP(host) === 0 || isReachableAddress(host, allowedRanges()) ? url : undefined;
  }

  /** Resolves a name for a new connection; one forbidden address makes all of them forbidden. */
  const checkedLookup =
    (
      lookUp: NameLookup,
      isAllowed: (address: string, ranges: readonly string[]) => boolean,
    ): LookupFunction =>
    (hostname, lookupOptions, done) => {
      const answer = async () => {
        const addresses = await lookUp(hostname);
        const [first] = addresses;
        const ranges = allowedRanges();
        if (!first || !addresses.every(({ address }) => isAllowed(address, ranges))) {
          throw new Error('this name leads to addresses that may not be asked');
        }
        return { first, addresses };
      };
      answer().then(
        ({ first, addresses }) => {
          if (lookupOptions.all) done(null, addresses);
          else done(null, first.address, first.family);
        },
        (error) => done(error, '', 0),
      );
    };

  return { withAgent, arrive, mayAsk, readUrl };
}

/** Identity: the received bytes count against the limit, and nothing is decompressed. */
export const requestHeaders = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Waypost' };

/** The port of a URL, or its scheme's default. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
