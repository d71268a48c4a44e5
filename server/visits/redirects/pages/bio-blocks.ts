import type { BioGroup, SocialNetwork } from '../../../contract/bio-blocks.ts';

interface Common {
  id: number;
  enabled: boolean;
}

type Optional = string | null | undefined;

/** A block in stored form: the contract's fields, with normalized URLs. */
export type StoredBlock = Common &
  (
    | {
        type: 'link';
        title: string;
        url: string;
        description?: Optional;
        image?: Optional;
        highlight?: boolean | undefined;
        share?: boolean | undefined;
        /** Id of the account's own short link that `url` pointed to. */
        link?: number | undefined;
      }
    | { type: 'heading'; text: string; group?: BioGroup | null | undefined }
    | { type: 'text'; text: string }
    | { type: 'image'; image: string; alt?: Optional; url?: Optional; share?: boolean | undefined }
    | { type: 'divider' }
    | { type: 'socials'; items: { network: SocialNetwork; url: string }[]; share?: boolean | undefined }
    | {
        type: 'vcard';
        name: string;
        role?: Optional;
        organization?: Optional;
        email?: Optional;
        phone?: Optional;
        website?: Optional;
        address?: Optional;
        note?: Optional;
        share?: boolean | undefined;
      }
    | { type: 'video'; title: string; url: string; image?: Optional; share?: boolean | undefined }
    | { type: 'file'; file: number; title?: Optional; share?: boolean | undefined }
    | { type: 'contact'; title: string; button?: Optional }
  );

/** What blocks refer to; all of it belongs to the account. */
export interface BlockSurroundings {
  /** URL of a picture on the page; undefined if it does not exist. */
  picture(url: string): string | undefined;
  /** Whether a short link still exists. */
  hasLink(id: number): boolean;
  file(id: number): { name: string; size: number } | undefined;
  /** The counting URL of a part of a block; undefined in a preview, which has no links. */
  counted(block: number, part?: number): string | undefined;
  /** The URL of a block, or a part of it, to copy, and that of its QR code. */
  shared(block: StoredBlock, part?: number): Shared;
}

/** How visitors share a block. */
export interface Shared {
  address: string;
  /** Path of its QR code. */
  code: string;
}

/** Whether visitors can share a block: only one with a destination. */
export function isShared(block: StoredBlock): boolean {
  const leads = block.type !== 'image' || Boolean(block.url);
  return 'share' in block && block.share === true && leads;
}

/** A block and the data to render it. */
export type ShownBlock = StoredBlock & {
  href?: string | undefined;
  src?: string | undefined;
  /** The URLs of the entries of a `socials` block. */
  hrefs?: (string | undefined)[];
  found?: { name: string; size: number };
  /** One for each profile of a `socials` block, and one alone for any other. */
  shared?: Shared[];
};

/** The blocks that visitors see: enabled ones whose targets exist. */
export function shownBlocks(blocks: readonly StoredBlock[], around: BlockSurroundings): ShownBlock[] {
  return blocks.flatMap((block) => {
    const found = block.enabled ? shown(block, around) : undefined;
    if (!found) return [];
    if (!isShared(block)) return found;
    const shared =
      block.type === 'socials'
        ? block.items.map((_, index) => around.shared(block, index + 1))
        : [around.shared(block)];
    return { ...found, shared };
  });
}

function shown(block: StoredBlock, around: BlockSurroundings): ShownBlock | undefined {
  const picture = 'image' in block && block.image ? around.picture(block.image) : undefined;
  switch (block.type) {
    case 'link':
      if (block.link !== undefined && !around.hasLink(block.link)) return undefined;
      return { ...block, src: picture, href: hrefOf(block.url, around, block.id) };
    case 'image':
      if (picture === undefined) return undefined;
      return { ...block, src: picture, href: block.url ? hrefOf(block.url, around, block.id) : undefined };
    case 'video':
      return { ...block, src: picture, href: around.counted(block.id) };
    case 'socials':
      return {
        ...block,
        hrefs: block.items.map(({ url }, index) => hrefOf(url, around, block.id, index + 1)),
      };
    case 'file': {
      const found = around.file(block.file);
      return found && { ...block, found, href: around.counted(block.id) };
    }
    case 'vcard':
    case 'contact':
      return { ...block, href: around.counted(block.id) };
    default:
      return block;
  }
}

/** Mail and phone links are opened by other programs, so we cannot redirect there. */
function hrefOf(url: string, around: BlockSurroundings, block: number, part?: number): string | undefined {
  const counted = around.counted(block, part);
  return counted !== undefined && /^(mailto|tel):/.test(url) ? url : counted;
}

/** URLs of all pictures of a page, including the avatar. */
export function picturesOf(blocks: readonly StoredBlock[], avatar: string | null): string[] {
  const urls = blocks.flatMap((block) => ('image' in block && block.image ? [block.image] : []));
  return avatar === null ? urls : [avatar, ...urls];
}

/** Ids that the blocks of a page refer to. */
export function referredBy(blocks: readonly StoredBlock[]): { links: number[]; files: number[] } {
  return {
    links: blocks.flatMap((block) => (block.type === 'link' && block.link !== undefined ? [block.link] : [])),
    files: blocks.flatMap((block) => (block.type === 'file' ? [block.file] : [])),
  };
}
