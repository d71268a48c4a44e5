import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';

/** What the name servers said about a host. */
interface Resolution {
  /**
   * `found`: there are addresses. `nothing`: the name servers report none. `unanswered`: there was no usable response
   * in time, which says nothing about the host.
   */
  outcome: 'found' | 'nothing' | 'unanswered';
  /** IPv4 first; at most 16 of each kind. */
  addresses: string[];
}

export interface Resolver {
  resolve(host: string): Promise<Resolution>;
  /** The texts of a name's TXT records (RFC 1035, section 3.3.14); empty if the name servers do not respond in time. */
  resolveTexts(name: string): Promise<string[]>;
  /** The zone of a host; undefined if the name servers do not respond. */
  findZone(host: string): Promise<string | undefined>;
}

interface Options {
  /** Name servers as `address` or `address:port`; empty for those of the system. */
  servers: () => readonly string[];
  /** Milliseconds for each of the tries. */
  timeoutMs?: number | undefined;
  tries?: number;
}

/** The maximum number of answers (T-23): nobody needs more, and a hostile server may send thousands. */
const mostAnswers = 16;
const mostAliases = 8;

/**
 * Asks name servers directly, never the system's own look-up: 2 s, 2 tries, A, AAAA and CNAME (decision 0029).
 * Whatever the servers do, an answer is there after both tries' time. Never throws.
 */
export function resolver({ servers, timeoutMs = 2_000, tries = 2 }: Options): Resolver {
  function open(): dns.Resolver {
    const channel = new dns.Resolver({ timeout: timeoutMs, tries: 1 });
    const named = servers();
    if (named.length > 0) channel.setServers(named);
    return channel;
  }

  return {
    async findZone(host) {
      const channel = open();
      const labels = host.split('.');
      const candidates = labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'));
      const answers = await Promise.all(
        candidates.slice(0, mostAliases).map(async (name) => {
          // A CNAME is answered with the zone of its target: it does not start a zone itself.
          const [start, alias] = await Promise.allSettled([
            channel.resolveSoa(name),
            channel.resolveCname(name),
          ]);
          return start.status === 'fulfilled' && alias.status === 'rejected' ? [name] : [];
        }),
      );
      return answers.flat()[0];
    },

    async resolveTexts(name) {
      const channel = open();
      const deadline = setTimeout(() => channel.cancel(), timeoutMs * tries);
      try {
        const question = async () => (await channel.resolveTxt(name)).map((parts) => parts.join(''));
        let answer: Answer = 'unanswered';
        for (let attempt = 0; attempt < tries && answer === 'unanswered'; attempt += 1) {
          answer = await tryOnce(question);
        }
        return typeof answer === 'string' ? [] : answer.slice(0, mostAnswers);
      } finally {
        clearTimeout(deadline);
      }
    },

    async resolve(host) {
      // A separate one per host: a timeout then cancels no other queries.
      const channel = open();
      let over = false;
      const deadline = setTimeout(() => {
        over = true;
        channel.cancel();
      }, timeoutMs * tries);

      /** The library doubles the timeout of its second try, so tries are counted here. */
      async function ask(question: () => Promise<string[]>): Promise<Answer> {
        let answer: Answer = 'unanswered';
        for (let attempt = 0; attempt < tries && answer === 'unanswered' && !over; attempt += 1) {
          answer = await tryOnce(question);
        }
        return answer;
      }

      try {
        const seen = new Set<string>();
        // A server that is not recursive leaves it to us to follow the other name of a host.
        for (let name: string | undefined = host; name !== undefined && seen.size <= mostAliases; ) {
          const current: string = name;
          seen.add(current);
          const answers = await Promise.all([
            ask(() => channel.resolve4(current)),
            ask(() => channel.resolve6(current)),
          ]);
          const addresses = answers.flatMap(readAddresses);
          if (addresses.length > 0) return { outcome: 'found', addresses };
          if (answers.includes('unanswered')) return { outcome: 'unanswered', addresses };
          const aliases = await ask(() => channel.resolveCname(current));
          if (aliases === 'unanswered') return { outcome: 'unanswered', addresses };
          const [alias] = aliases === 'nothing' ? [] : aliases;
          name = alias === undefined || seen.has(alias) ? undefined : alias;
        }
        return { outcome: 'nothing', addresses: [] };
      } finally {
        clearTimeout(deadline);
      }
    },
  };
}

type Answer = string[] | 'nothing' | 'unanswered';

/** Codes by which a server says that there is no such record; all others say nothing about the name. */
const absent = new Set(['ENODATA', 'ENOTFOUND']);

async function tryOnce(question: () => Promise<string[]>): Promise<Answer> {
  try {
    const records = await question();
    return records.length > 0 ? records : 'nothing';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== undefined && absent.has(code) ? 'nothing' : 'unanswered';
  }
}

function readAddresses(answer: Answer): string[] {
  if (typeof answer === 'string') return [];
  return answer.slice(0, mostAnswers).filter((text) => isIP(text) !== 0);
}
