import {
  type BioFont,
  type BioShape,
  type BioThemeName,
  bioLook,
  bioThemes,
} from '../../contract/bio-themes.ts';
import type { BioRow, BioVisitQueries } from './bio-queries.ts';
import { picturesOf, referredBy, type Shared, type StoredBlock, shownBlocks } from './pages/bio-blocks.ts';
import type { BioView } from './pages/bio-page.ts';

/** The content of a page; every part was validated against the contract when it was stored. */
export interface BioContent {
  title: string;
  description: string | null;
  avatar: string | null;
  theme: string;
  colors: Record<string, string>;
  shape: string | null;
  font: string | null;
  blocks: StoredBlock[];
}

export function contentOf(row: BioRow): BioContent {
  return {
    title: row.title ?? row.name,
    description: row.description,
    avatar: row.avatar,
    theme: row.theme,
    colors: JSON.parse(row.colors) as Record<string, string>,
    shape: row.shape,
    font: row.font,
    blocks: JSON.parse(row.blocks) as StoredBlock[],
  };
}

interface Surroundings {
  userId: number;
  /** A picture's URL by its token. */
  pictureAddress: (token: string) => string | undefined;
  /** A block's counting URL. */
  counted: (block: number, part?: number) => string | undefined;
  /** A block's URL to copy, and that of its QR code. */
  shared: (block: StoredBlock, part?: number) => Shared;
}

/** Looks up everything that the blocks of a page refer to, all at once. */
export function viewOf(
  content: BioContent,
  queries: Pick<BioVisitQueries, 'pictures' | 'links' | 'files'>,
  { userId, pictureAddress, counted, shared }: Surroundings,
): BioView {
  const { blocks, avatar } = content;
  const tokens = queries.pictures(userId, picturesOf(blocks, avatar));
  const { links, files } = referredBy(blocks);
  const knownLinks = links.length === 0 ? new Map() : queries.links(userId, links);
  const knownFiles = files.length === 0 ? new Map() : queries.files(userId, files);
  const picture = (url: string): string | undefined => {
    const token = tokens.get(url);
    return token === undefined ? undefined : pictureAddress(token);
  };
  const name = (content.theme in bioThemes ? content.theme : 'plain') as BioThemeName;
  return {
    title: content.title,
    description: content.description,
    avatar: avatar === null ? undefined : picture(avatar),
    look: bioLook(name, content.colors, {
      shape: content.shape as BioShape | null,
      font: content.font as BioFont | null,
    }),
    blocks: shownBlocks(blocks, {
      picture,
      hasLink: (id) => knownLinks.has(id),
      file: (id) => knownFiles.get(id),
      counted,
      shared,
    }),
  };
}
