import type { BioGroup, SocialNetwork } from '../../../contract/bio-blocks.ts';

interface Common {
  id: number;
  enabled: boolean;
}

type Optional = string | null | undefined;

/** A block in stored form: the contract's fields, addresses in normal form. */
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
        /** Id of the account's own short link that `url` was the address of. */
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

/** What is known of the things that blocks point at; all of it is the account's own. */
export interface BlockSurroundings {
  /** Address of a picture on the page; undefined when it is not here. */
  picture(url: string): string | undefined;
  /** Whether a short link is still there. */
  hasLink(id: number): boolean;
  file(id: number): { name: string; size: number } | undefined;
  /** Where a part of a block leads, so that it is counted; undefined in a preview, where nothing leads anywhere. */
  counted(block: number, part?: number): string | undefined;
  /** What is copied of a block, or of a part of it, and where its QR code is. */
  shared(block: StoredBlock, part?: number): Shared;
}

/** How visitors pass a block on. */
export interface Shared {
  address: string;
  /** Path of the picture of its QR code. */
  code: string;
}

/** Whether visitors find a way to pass a block on beside it: one that leads somewhere. */
export function isShared(block: StoredBlock): boolean {
  const leads = block.type !== 'image' || Boolean(block.url);
  return 'share' in block && block.share === true && leads;
}

/** A block with what it needs to be drawn. */
export type ShownBlock = StoredBlock & {
  href?: string | undefined;
  src?: string | undefined;
  /** Where the entries of a `socials` block lead. */
  hrefs?: (string | undefined)[];
  found?: { name: string; size: number };
  /** One for each profile of a `socials` block, and one alone for any other. */
  shared?: Shared[];
};

/** The blocks that visitors see: switched on, and pointing at things that are there. */
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

/** Mail and telephone addresses are opened by other programs, so no answer of ours can lead there. */
function hrefOf(url: string, around: BlockSurroundings, block: number, part?: number): string | undefined {
  const counted = around.counted(block, part);
  return counted !== undefined && /^(mailto|tel):/.test(url) ? url : counted;
}

/** Addresses of all pictures of a page, the avatar's among them. */
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
