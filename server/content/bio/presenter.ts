import type { BioDetails, BioMessage, BioPage } from '../../contract/bio.ts';
import type { BioBlock } from '../../contract/bio-blocks.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import type { StoredBlock } from '../../visits/redirects/pages/bio-blocks.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { BioRow, ListedBio, MessageRow, ShortAddress } from './queries.ts';

export interface PresentContext {
  timezone: string;
  baseUrl: string;
}

/** The data for a page's details, in addition to its row. */
export interface BioSurroundings {
  blockClicks: ReadonlyMap<number, number>;
  /** The short links that its blocks are addresses of. */
  links: readonly ShortAddress[];
  domainRoots: readonly string[];
}

/** A page in a list. */
export function presentBio(row: ListedBio, { timezone, baseUrl }: PresentContext): BioPage {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    alias: row.alias,
    link: shortUrl(row, baseUrl),
    domain: row.host === null ? baseUrl : `https://${row.host}`,
    picture: row.picture === null ? null : `/img/${row.picture}`,
    views: row.views,
    uniqueviews: row.unique_views,
    clicks: row.clicks,
    date: presentTimestamp(row.created_at, timezone),
  };
}

/** A page with everything that is set on it. Its JSON was checked against the contract when it was written. */
export function presentDetails(
  row: BioRow,
  { blockClicks, links, domainRoots }: BioSurroundings,
  context: PresentContext,
): BioDetails {
  const blocks = JSON.parse(row.blocks) as StoredBlock[];
  return {
    ...presentBio(row, context),
    description: row.description,
    avatar: row.avatar,
    theme: row.theme,
    colors: JSON.parse(row.colors) as BioDetails['colors'],
    shape: row.shape as BioDetails['shape'],
    font: row.font as BioDetails['font'],
    blocks: blocks.map((block) =>
      presentBlock(block, blockClicks.get(block.id) ?? 0, links, context.baseUrl),
    ),
    frontof: domainRoots.map((host) => `https://${host}`),
    limitreached: presentOptional(row.limited_at, context.timezone),
  };
}

function presentBlock(
  block: StoredBlock,
  clicks: number,
  links: readonly ShortAddress[],
  baseUrl: string,
): BioBlock {
  if (block.type !== 'link') return { ...block, clicks };
  const { link = null, ...fields } = block;
  // The address of a short link is the one that it has now.
  const target = links.find(({ id }) => id === link);
  return { ...fields, url: target ? shortUrl(target, baseUrl) : block.url, link, clicks };
}

export function presentMessage(row: MessageRow, timezone: string): BioMessage {
  const { id, block, name, email, message } = row;
  return { id, block, name, email, message, date: presentTimestamp(row.at, timezone) };
}
