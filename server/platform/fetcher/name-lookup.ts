import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { concurrencyLimit } from '../concurrency/concurrency-limit.ts';

interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name. Throws if there is none in time. */
export type NameLookup = (hostname: string) => Promise<ResolvedAddress[]>;

interface Options {
  /** Name servers as `address:port`; those of the system by default, tests pass their own. */
  servers?: readonly string[];
  /** The system's resolver. */
  system?: NameLookup;
  /** Milliseconds for the name servers, and for one system look-up. */
  serversMs?: number;
  turnMs?: number;
}

/** The maximum number of addresses of each kind: nobody needs more, and a hostile server may send thousands. */
const mostAnswers = 16;
/** Names waiting for the system resolver. */
const mostWaiting = 16;

/**
 * Asks the name servers, and the system for what they do not know: its hosts file, names of the local network. A
 * system look-up occupies one of the four threads that also write files, hash passwords and process images, for as
 * long as the name's server delays it; so only one runs at a time (T-14).
 */
export function nameLookup(options: Options = {}): NameLookup {
  const { servers, serversMs = 1_000, turnMs = 2_000 } = options;
  const system = options.system ?? ((hostname) => dns.lookup(hostname, { all: true, verbatim: true }));
  const limited = concurrencyLimit(1);
  let waiting = 0;

  async function askServers(hostname: string): Promise<ResolvedAddress[]> {
    // A new resolver reads the system's current servers: a laptop moves between networks.
    const channel = new dns.Resolver({ timeout: serversMs, tries: 1 });
    if (servers) channel.setServers(servers);
    const deadline = setTimeout(() => channel.cancel(), serversMs);
    try {
      const answers = await Promise.allSettled([channel.resolve4(hostname), channel.resolve6(hostname)]);
      return answers
        .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.slice(0, mostAnswers) : []))
        .map((address) => ({ address, family: isIP(address) }));
    } finally {
      clearTimeout(deadline);
    }
  }

  async function askSystem(hostname: string): Promise<ResolvedAddress[]> {
    if (waiting >= mostWaiting) throw new Error('too many names are being looked up');
    waiting += 1;
    const givenUp = AbortSignal.timeout(turnMs);
    try {
      return await limited(async () => {
        // The caller is gone.
        if (givenUp.aborted) throw new Error('the system did not get to this name in time');
        return await system(hostname);
      });
    } finally {
      waiting -= 1;
    }
  }

  return async (hostname) => {
    const found = await askServers(hostname);
    return found.length > 0 ? found : askSystem(hostname);
  };
}
