import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { hasLongHost } from '../../contract/long-host.ts';
import { isInRanges } from '../http/addresses.ts';
import { boundedAnswers } from './bounded-answers.ts';
import type { NameLookup } from './name-lookup.ts';
import { isReachableAddress } from './public-address.ts';

interface Options {
  /** Ranges that are not public and may be asked all the same, by the administrator's choice. */
  allowedRanges: () => readonly string[];
  /** Ports that may be asked anywhere. */
  ports: readonly number[];
  /** Every address of a name. */
  lookup: NameLookup;
  /** Milliseconds for connecting, name look-up included. */
  connectMs: number;
}

const mostRedirects = 3;
const longestUrl = 2048;

/**
 * Connections that lead nowhere but where they may (T-14): what a URL's text tells is checked before, and the address
 * of a name in the connection's own look-up, so a name that answers differently the second time gains nothing.
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
    // A new agent for each fetch: no connection outlives the check that it was made under.
    const agent = new Agent({
      allowH2: false,
      connections: 1,
      maxHeaderSize: 16 * 1024,
      // Here and not by a look-up before: a name may lead into an allowed range when it is asked first, and out of it
      // then.
      connect: (options, done) =>
        (isForMessage || options.port === '' || ports.includes(Number(options.port)) ? anywhere : inRanges)(
          options,
          done,
        ),
    });
    try {
      return await work(agent.compose(boundedAnswers), AbortSignal.timeout(ms));
    } finally {
      // Its errors were answered by `work`; a rejection here would only say so again.
      agent.destroy().catch(() => {});
    }
  }

  /**
   * The first answer that leads no further, or no further than may be followed; undefined when an address on the way
   * may not be asked.
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
      // The agent goes down with what is left of a body; nobody listens to the error that this makes.
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
   * Whether a port may be asked, as far as the URL tells: those of the web anywhere, and any in the ranges that the
   * administrator allows. Where a name leads is looked at when it is connected to.
   */
  function mayAsk(url: URL): boolean {
    if (ports.includes(portOf(url))) return true;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return isIP(host) === 0 ? allowedRanges().length > 0 : isInRanges(host, allowedRanges());
  }

  /** An address that may be asked, as far as its text tells; a literal IP address never gets to the look-up. */
  function readUrl(text: string): URL | undefined {
    if (text.length > longestUrl || hasLongHost(text) || !/^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text))
      return undefined;
    const url = URL.parse(text);
    if (url?.username !== '' || url.password !== '') return undefined;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return isIP(host) === 0 || isReachableAddress(host, allowedRanges()) ? url : undefined;
  }

  /** Looks a name up for a connection that is about to be made; one address that may not be asked spoils them all. */
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

/** Identity: what arrives is what counts against the limit, and nothing is ever unpacked. */
export const requestHeaders = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Waypost' };

/** The port that a URL names, or its scheme's. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
