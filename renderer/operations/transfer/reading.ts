import { z } from 'zod';
import { getAccount } from '../../../server/contract/account.ts';
import { type Campaign, listCampaigns } from '../../../server/contract/campaigns.ts';
import { type Channel, listChannels } from '../../../server/contract/channels.ts';
import { listDomains } from '../../../server/contract/domains.ts';
import {
  exportLinks,
  getLink,
  type Link,
  type LinkDetails,
  linkDetails,
  listLinks,
} from '../../../server/contract/links.ts';
import { allRecords } from '../../api/all-records.ts';
import type { Call } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { type Destination, hostOf, type Source } from './plan.ts';
import type { TransferKind } from './rows.ts';

/** More links than an instance is designed for. */
const mostLinks = 1_000_000;

/** Concurrent requests for single links: enough to hide latency without overloading the server. */
const atOnce = 4;

/** Filter for the links to copy; an empty one matches all. */
export interface LinkChoice {
  readonly campaign?: number;
  readonly channel?: number;
  readonly q?: string;
}

interface Reading {
  readonly kinds: ReadonlySet<TransferKind>;
  readonly signal: AbortSignal;
  /** Called with the progress, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/** Reads all data that may be copied. Throws ApiFailure, or AbortError when `signal` aborts. */
export async function readSource(
  at: Call,
  options: Reading & { readonly choice: LinkChoice; readonly canExport: boolean },
): Promise<Source> {
  const { kinds, signal, onProgress, choice } = options;
  const hasLinks = kinds.has('links');
  const [campaigns, channels] = [await readCampaigns(at, signal), await readChannels(at, signal)];
  onProgress(0.05);
  if (!hasLinks)
    return { campaigns, channels, links: [], timezone: 'UTC', hosts: await readHosts(at, signal) };
  const { data: account } = await at(getAccount, { signal });
  const links =
    (options.canExport ? await readExport(at, choice, signal) : undefined) ??
    (await readDetails(at, choice, signal, (fraction) => onProgress(0.05 + fraction * 0.95)));
  return {
    campaigns,
    channels,
    // In order of creation, so that the newest link is also the newest at the destination.
    links: [...links].sort((one, other) => one.id - other.id),
    timezone: account.timezone ?? 'UTC',
    hosts: await readHosts(at, signal),
  };
}

/** Reads the existing data of the destination. Throws like `readSource`. */
export async function readDestination(
  at: Call,
  {
    kinds,
    signal,
    onProgress,
    origin,
    isBaseContract,
  }: Reading & { readonly origin: string; readonly isBaseContract: boolean },
): Promise<Destination> {
  const { data: account } = await at(getAccount, { signal });
  const campaigns = await readCampaigns(at, signal);
  const channels = await readChannels(at, signal);
  const links = kinds.has('links') ? await readLinks(at, {}, signal, onProgress) : [];
  return { campaigns, channels, links, account, hosts: await readHosts(at, signal), origin, isBaseContract };
}

/** All campaigns of an instance; empty if it does not support them. */
export function readCampaigns(at: Call, signal: AbortSignal): Promise<Campaign[]> {
  return unlessMissing(
    allRecords(async (query) => {
      const { data } = await at(listCampaigns, { query, signal });
      return { items: data.campaigns, nextpage: data.nextpage };
    }, signal),
  );
}

/** All channels of an instance; empty if it does not support them. */
export function readChannels(at: Call, signal: AbortSignal): Promise<Channel[]> {
  return unlessMissing(
    allRecords(async (query) => {
      const { data } = await at(listChannels, { query, signal });
      return { items: data.channels, nextpage: data.nextpage };
    }, signal),
  );
}

async function readHosts(at: Call, signal: AbortSignal): Promise<Set<string>> {
  const domains = await unlessMissing(
    allRecords(async (query) => {
      const { data } = await at(listDomains, { query, signal });
      return { items: data.domains, nextpage: data.nextpage };
    }, signal),
  );
  return new Set(domains.flatMap(({ domain }) => hostOf(domain) ?? []));
}

function readLinks(
  at: Call,
  choice: LinkChoice,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<Link[]> {
  const load = async (page: { page: number; limit: number }) => {
    // Oldest first: links created in the meantime are appended and do not shift rows to other pages.
    const { data } = await at(listLinks, { query: { ...choice, ...page, order: 'date_asc' }, signal });
    onProgress(Math.min(1, page.page / data.maxpage));
    return { items: data.urls, nextpage: data.nextpage };
  };
  return allRecords(load, signal, mostLinks);
}

/** The details of all links in a single response; undefined if the server or plan does not support the export. */
async function readExport(
  at: Call,
  choice: LinkChoice,
  signal: AbortSignal,
): Promise<LinkDetails[] | undefined> {
  try {
    const query = { ...choice, format: 'json', inline: '1' } as const;
    const { data } = await at(exportLinks, { query, signal });
    return z.object({ urls: z.array(linkDetails) }).parse(JSON.parse(data.content)).urls;
  } catch (error) {
    if (error instanceof ApiFailure && (error.kind === 'unauthorized' || error.code === 'cancelled'))
      throw error;
    if (error instanceof DOMException) throw error;
    // Rejected, too large, or in an unknown format: loading links one by one is slower but always works.
    return undefined;
  }
}

async function readDetails(
  at: Call,
  choice: LinkChoice,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<LinkDetails[]> {
  const waiting = await readLinks(at, choice, signal, (fraction) => onProgress(fraction * 0.1));
  const total = waiting.length;
  const found: LinkDetails[] = [];
  let done = 0;
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        found.push((await at(getLink, { params: { id: next.id }, signal })).details);
      } catch (error) {
        // Deleted since the list was loaded.
        if (!(error instanceof ApiFailure && error.status === 404)) throw error;
      }
      done += 1;
      onProgress(0.1 + (done / total) * 0.9);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return found;
}

/**
 * Treats lists that the server or key does not support as empty. Lists in an unknown format, lost connections and
 * invalid keys still throw.
 */
async function unlessMissing<Item>(list: Promise<Item[]>): Promise<Item[]> {
  try {
    return await list;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // Servers may respond to unknown paths with documents that are not ours.
    if (error.kind === 'refused' || (error.kind === 'malformed' && error.status >= 400)) return [];
    throw error;
  }
}
