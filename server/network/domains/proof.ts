import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection } from '../../platform/database/connect.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { SharedChallenges } from '../certificates/challenges.ts';
import type { PassedVerdict } from './dns-check.ts';
import type { Resolver } from './resolver.ts';

/** A host claimed by an account; without an account for a platform domain. */
export interface Claim {
  host: string;
  user_id: number | null;
}

/** How a claim can be proved: one of the two has to be found. */
export interface ProofTask {
  /** A TXT record, by its full name. */
  record: { name: string; value: string };
  /** A file on the host; this server answers with it, too. */
  file: { url: string; content: string };
}

/**
 * `record`: the zone names the account. `file`: the host serves it. `address`: the host points here and nobody else
 * answers there.
 */
export type Evidence = 'record' | 'file' | 'address';

interface Options {
  database: Connection;
  resolver: Pick<Resolver, 'resolveTexts'>;
  fetcher: Pick<Fetcher, 'probe'>;
  /** Whether a name is the instance's own by now: it answers there for itself, which proves no claim. */
  isOwnHost: (host: string) => boolean;
  /** Lets other machines answer as well while a host is checked; undefined if this is the only one. */
  others?: (() => SharedChallenges | undefined) | undefined;
}

const prefix = '/.well-known/waypost/';
/** Milliseconds for asking a host for the file. */
const probeMs = 5_000;

/**
 * Verifies the ownership of a host before anything is done under its name: that it resolves to a shared proxy, such as
 * Cloudflare, does not say who configured it. The owner proves it with a DNS record; or automatically, if the host
 * forwards visitors to this server, which then finds its own response there. Someone else's host leads elsewhere.
 */
export function domainProofs({ database, resolver, fetcher, isOwnHost, others }: Options) {
  // A migration made it. Without it (a damaged database) there are new proofs.
  database.prepare('INSERT OR IGNORE INTO domain_proof_key (id, key) VALUES (1, randomblob(32))').run();
  const key = database.prepare<[], Buffer>('SELECT key FROM domain_proof_key').pluck().get();
  const ownerOf = database.prepare<[string], { user_id: number | null }>(
    'SELECT user_id FROM domains WHERE host = ? AND removed_at IS NULL',
  );

  /** Derived from the claim, so that it can be shown before the domain is added; useless to other accounts. */
  function tokenOf({ host, user_id }: Claim): string {
    return createHmac('sha256', key as Buffer)
      .update(`${user_id ?? 'platform'} ${host}`)
      .digest('hex')
      .slice(0, 32);
  }

  function taskOf(claim: Claim): ProofTask {
    const token = tokenOf(claim);
    const content = contentOf(token);
    return {
      record: { name: recordName(claim.host), value: content },
      file: { url: proofUrl(claim.host, prefix + token), content },
    };
  }

  /** Asks a host for the file. Rejects where there are too many questions, which says nothing of the host. */
  async function ask({ host, user_id }: Claim, { url, content }: ProofTask['file'], address: string) {
    // As here: of several accounts that say a host is theirs, machines answer for the one that has it.
    const shared = ownerOf.get(host)?.user_id === user_id ? others?.() : undefined;
    // If the others cannot be told, the host may still lead to this machine.
    await shared?.add(url, content).catch(() => {});
    try {
      return await fetcher.probe(url, {
        ...{ address, maxBytes: 256, totalMs: probeMs, party: 'proofs of domains' },
      });
    } finally {
      await shared?.remove(url).catch(() => {});
    }
  }

  return {
    taskOf,

    /** What proves a claim now; undefined when nothing does. */
    async find(claim: Claim, { type, address, isEdge }: PassedVerdict): Promise<Evidence | undefined> {
      if (isOwnHost(claim.host)) return undefined;
      const { record, file } = taskOf(claim);
      const [texts, reply] = await Promise.all([
        resolver.resolveTexts(record.name),
        ask(claim, file, address).catch(() => 'not asked' as const),
      ]);
      if (texts.includes(record.value)) return 'record';
      if (reply === 'not asked') return undefined;
      // The whole content: a host that repeats the path of a request proves nothing.
      if (reply?.status === 200 && reply.body.trim() === file.content) return 'file';
      // One of our addresses is sufficient while it cannot be reached from here, as behind many routers; if another
      // server answers there, it shares the address with us, and the host may be its. An edge's address is only what
      // the edge reported.
      return type === 'direct' && !isEdge && !reply ? 'address' : undefined;
    },

    /** Whether the zone of a host names one claim and not the other. */
    async isGivenTo(claim: Claim, other: Claim): Promise<boolean> {
      const texts = await resolver.resolveTexts(recordName(claim.host));
      return texts.includes(taskOf(claim).record.value) && !texts.includes(taskOf(other).record.value);
    },

    hasRecord: async (claim: Claim): Promise<boolean> =>
      (await resolver.resolveTexts(recordName(claim.host))).includes(taskOf(claim).record.value),

    /** Answers ownership checks of hosts; false for all other requests. */
    answer(request: IncomingMessage, response: ServerResponse, host: string): boolean {
      const { url = '', method } = request;
      if (!url.startsWith(prefix)) return false;
      const owner = ownerOf.get(host);
      const isRead = method === 'GET' || method === 'HEAD';
      const token = owner && tokenOf({ host, ...owner });
      const isAsked = isRead && token !== undefined && url.slice(prefix.length) === token;
      const body = isAsked ? contentOf(token) : 'Not found.\n';
      response.writeHead(isAsked ? 200 : 404, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        // The rest of a body must not be parsed as the next request.
        ...(!isRead && { Connection: 'close' }),
      });
      response.end(method === 'HEAD' ? undefined : body);
      return true;
    },
  };
}

export type DomainProofs = ReturnType<typeof domainProofs>;

/** The name of the proof file at a path; undefined for all other paths. */
export function proofAskedFor(host: string, path: string): string | undefined {
  return path.startsWith(prefix) ? proofUrl(host, path) : undefined;
}

function proofUrl(host: string, path: string): string {
  return `http://${host}${path}`;
}

function recordName(host: string): string {
  return `_waypost.${host}`;
}

function contentOf(token: string): string {
  return `waypost-verify=${token}`;
}
