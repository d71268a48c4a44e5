import type { Logger } from 'pino';
import type { Framing } from '../../contract/framing.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import { framedAddress, isFramed } from '../../visits/redirects/framed-address.ts';
import { storedRules, storedVariants } from '../../visits/redirects/stored-lists.ts';
import type { LinkRow } from '../links/queries.ts';
import { obstacleTo } from './policy.ts';
import type { FramingQueries, FramingRow } from './queries.ts';

interface Options {
  queries: FramingQueries;
  fetcher: Pick<Fetcher, 'look'>;
  /** The public address of the instance. */
  baseUrl: () => string;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

type FramedLink = Pick<LinkRow, 'id' | 'type' | 'host' | 'url' | 'rules' | 'abtesting'>;

/** A save waits for it no longer than this. Milliseconds. */
const mostMs = 3_000;
/** The number of destinations per link that are checked; others count as unknown. */
const mostAddresses = 10;
const askAgainMs = { known: 24 * 3_600_000, unknown: 3_600_000 };
/** Our pages on the instance's own host are sandboxed and have no origin (decision 0033). */
const noOrigin = 'null';

/**
 * Checks whether destinations allow framing, so that links with a frame or an overlay fall back to a redirect if they
 * do not. Destinations that cannot be checked are assumed to allow it, and checked again.
 */
export function framingService({ queries, fetcher, baseUrl, now, log }: Options) {
  async function ask(address: string, embedder: string): Promise<FramingRow> {
    const looked = await fetcher.look(address, { totalMs: mostMs, party: 'framing' });
    // The page of an error, or of a guard against robots, says nothing about the page that people get.
    const isThere = looked !== undefined && looked.status < 400;
    const obstacle = isThere ? obstacleTo(looked, embedder) : undefined;
    const at = now();
    return {
      address,
      embedder,
      verdict: isThere ? (obstacle ? 'forbidden' : 'allowed') : null,
      reason: obstacle ?? null,
      checked_at: at,
      due_at: at + (isThere ? askAgainMs.known : askAgainMs.unknown),
    };
  }

  /** A browser shows no http page inside of an https one. */
  function isInsecure(address: string, host: string | null): boolean {
    return address.startsWith('http:') && (host !== null || baseUrl().startsWith('https:'));
  }

  function framingOf(address: string, host: string | null, row: FramingRow | undefined): Framing {
    if (isInsecure(address, host)) return { verdict: 'forbidden', reason: 'insecure', address };
    return { verdict: row?.verdict ?? 'unknown', reason: row?.reason ?? null, address };
  }

  /** Checks the destinations of a link that were not checked recently, or all of them with `again`. */
  async function check(link: FramedLink, again = false): Promise<void> {
    const addresses = isFramed(link.type) ? addressesOf(link).slice(0, mostAddresses) : [];
    const embedder = embedderOf(link.host);
    const known = queries.ofLink(link.id);
    const isKnown = (address: string) =>
      known.some((row) => row.address === address && row.embedder === embedder && row.due_at > now());
    const unknown = again ? addresses : addresses.filter((address) => !isKnown(address));
    if (known.length > 0) queries.keepOnly(link.id, addresses);
    const rows = await Promise.all(unknown.map((address) => ask(address, embedder)));
    for (const row of rows) queries.store(link.id, row);
  }

  return {
    check,

    /**
     * The same for a link that has just been saved. Never throws: the link is stored, and an error (the disk is full,
     * the link was deleted meanwhile) would make people save it again. The job checks it later.
     */
    async checkSaved(link: FramedLink): Promise<void> {
      await check(link).catch((err: unknown) =>
        log.warn({ err }, 'the framing check of a page could not be stored'),
      );
    },

    /**
     * The result for a link; with several destinations, of one that forbids framing. Null for links without a frame.
     */
    ofLink(link: FramedLink): { framing: Framing; checkedAt: number | null } | null {
      if (!isFramed(link.type)) return null;
      const rows = queries.ofLink(link.id);
      const found = addressesOf(link).map((address) => {
        const row = rows.find((one) => one.address === address);
        return { framing: framingOf(address, link.host, row), checkedAt: row?.checked_at ?? null };
      });
      return found.find(({ framing }) => framing.verdict === 'forbidden') ?? found[0] ?? null;
    },

    /** Asks one address for a link that would be on `host`; null is the instance's own. */
    async askFor(url: string, host: string | null): Promise<Framing> {
      const address = framedAddress(url) ?? url;
      if (isInsecure(address, host)) return framingOf(address, host, undefined);
      return framingOf(address, host, await ask(address, embedderOf(host)));
    },
  };
}

export type FramingService = ReturnType<typeof framingService>;

function addressesOf({ url, rules, abtesting }: FramedLink): string[] {
  const targets = [
    url,
    ...storedRules(rules).map((rule) => rule.link),
    ...storedVariants(abtesting).map((variant) => variant.url),
  ];
  return [...new Set(targets.flatMap((target) => framedAddress(target) ?? []))];
}

/** Branded domains are presented with https (decision 0029). */
function embedderOf(host: string | null): string {
  return host === null ? noOrigin : `https://${host}`;
}
