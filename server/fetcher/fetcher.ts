import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { Refusal, rejected, unavailable } from '../errors.ts';
import { isReachableAddress } from './public-address.ts';

export interface Fetched {
  body: Buffer;
  /** Media type in lower case without parameters, as the other server claims; '' when it claims none. */
  type: string;
}

export interface GetOptions {
  /** Bytes that are read at most. */
  maxBytes: number;
  /** The field of the caller's request that the address came in, for the refusal. */
  field: string;
}

export interface Fetcher {
  /**
   * The content of an address that a user chose. Throws 400 `unreachable_url` in one wording for whatever went wrong,
   * so that nobody can map a network with it, 400 `file_too_large`, or 503 when too much is under way.
   */
  get(url: string, options: GetOptions): Promise<Fetched>;
}

interface ResolvedAddress {
  address: string;
  family: number;
}

interface Options {
  /** Ranges that are not public and may be asked all the same, by the administrator's choice. */
  allowedRanges: () => readonly string[];
  /** Ports that may be asked; tests listen on others. */
  ports?: readonly number[];
  /** Every address of a name; tests bring their own. */
  lookup?: (hostname: string) => Promise<ResolvedAddress[]>;
  /** Milliseconds for connecting, name look-up included, and for all of it. */
  connectMs?: number;
  totalMs?: number;
}

const mostRedirects = 3;
const mostAtOnce = 32;
const longestUrl = 2048;

/**
 * The only door for outgoing requests (decisions, section 9; T-14): avatars, logos, icons, titles. The address is
 * checked in the connection's own name look-up, so a name that answers differently the second time gains nothing.
 * No cookies, no credentials, no decompression, no proxy from the environment.
 */
export function fetcher(options: Options): Fetcher {
  const { allowedRanges, ports = [80, 443], connectMs = 3_000, totalMs = 10_000 } = options;
  const resolve = options.lookup ?? ((hostname) => systemLookup(hostname, { all: true, verbatim: true }));
  let underWay = 0;

  async function get(address: string, { maxBytes, field }: GetOptions): Promise<Fetched> {
    if (underWay >= mostAtOnce) throw unavailable('The server is fetching too much at once. Try again soon.');
    underWay += 1;
    // A new agent for each fetch: no connection outlives the check that it was made under.
    const agent = new Agent({
      allowH2: false,
      connections: 1,
      maxHeaderSize: 16 * 1024,
      connect: { lookup: checkedLookup, timeout: connectMs },
    });
    try {
      return await follow(address, maxBytes, field, agent, AbortSignal.timeout(totalMs));
    } catch (error) {
      throw error instanceof Refusal ? error : unreachable(field);
    } finally {
      underWay -= 1;
      // Its errors were answered above; a rejection here would only say so again.
      agent.destroy().catch(() => {});
    }
  }

  async function follow(
    start: string,
    maxBytes: number,
    field: string,
    dispatcher: Agent,
    signal: AbortSignal,
  ): Promise<Fetched> {
    let url = readUrl(start);
    for (let redirects = 0; url && redirects <= mostRedirects; redirects += 1) {
      const reply = await request(url, { dispatcher, signal, method: 'GET', headers: requestHeaders });
      const { statusCode, headers, body } = reply;
      // The agent goes down with what is left of a body; nobody listens to the error that this makes.
      body.on('error', () => {});
      if (statusCode === 200) {
        const encoding = headers['content-encoding'];
        if (encoding !== undefined && encoding !== 'identity') throw unreachable(field);
        if (Number(headers['content-length'] ?? 0) > maxBytes) throw fileTooLarge(maxBytes, field);
        return { body: await readUpTo(body, maxBytes, field), type: mediaType(headers['content-type']) };
      }
      const { location } = headers;
      const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
      if (!isRedirect || typeof location !== 'string') throw unreachable(field);
      body.destroy();
      url = readUrl(URL.parse(location, url.href)?.href ?? '');
    }
    throw unreachable(field);
  }

  /** An address that may be asked, as far as its text tells; a literal IP address never gets to the look-up. */
  function readUrl(text: string): URL | undefined {
    if (text.length > longestUrl || !/^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text)) return undefined;
    const url = URL.parse(text);
    if (url?.username !== '' || url.password !== '') return undefined;
    const port = url.port !== '' ? Number(url.port) : url.protocol === 'https:' ? 443 : 80;
    if (!ports.includes(port)) return undefined;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return isIP(host) === 0 || isReachableAddress(host, allowedRanges()) ? url : undefined;
  }

  /** Looks a name up for a connection that is about to be made; one address that may not be asked spoils them all. */
  function checkedLookup(...[hostname, lookupOptions, done]: Parameters<LookupFunction>): void {
    const answer = async () => {
      const addresses = await resolve(hostname);
      const [first] = addresses;
      const ranges = allowedRanges();
      if (!first || !addresses.every(({ address }) => isReachableAddress(address, ranges))) {
        throw new Error('this name does not lead to public addresses only');
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
  }

  return { get };
}

/** Identity: what arrives is what counts against the limit, and nothing is ever unpacked. */
const requestHeaders = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Waypost' };

async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number, field: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw fileTooLarge(maxBytes, field);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function mediaType(header: string | string[] | undefined): string {
  return typeof header === 'string' ? (header.split(';', 1)[0] ?? '').trim().toLowerCase() : '';
}

function unreachable(field: string): Refusal {
  return rejected(
    'unreachable_url',
    field,
    'This address could not be fetched. Use a public http or https address that answers within a few seconds.',
  );
}

function fileTooLarge(maxBytes: number, field: string): Refusal {
  const size = maxBytes < 1_000_000 ? `${maxBytes / 1000} KB` : `${maxBytes / 1_000_000} MB`;
  return rejected('file_too_large', field, `The file at this address is larger than ${size}.`);
}
