import type { NewBioBlock } from '../../contract/bio-blocks.ts';
import { rejected } from '../../platform/errors.ts';
import type { StoredBlock } from '../../visits/redirects/pages/bio-blocks.ts';
import { videoPoster } from './video-poster.ts';

interface Context {
  /** An http or https address in stored form. Throws 400 naming the field. */
  readAddress: (text: string, field: string) => string;
  /** The account's own short link at an address. */
  ownLinkAt: (address: string) => number | undefined;
  ownsFile: (id: number) => boolean;
  /** Fetches a picture unless it is here. Throws 400 naming the field. */
  keepPicture: (url: string, field: string) => Promise<void>;
}

/** Blocks that a client sent, in stored form but for their ids. Throws 400 with the field at fault. */
export async function readBlocks(sent: readonly NewBioBlock[], context: Context): Promise<StoredBlock[]> {
  const blocks = sent.map((block, index) => readBlock(block, `blocks.${index}`, context));
  // Pictures last, one after the other: whatever else is wrong is found before anything is fetched.
  for (const [index, block] of blocks.entries()) {
    if ('image' in block && block.image) await context.keepPicture(block.image, `blocks.${index}.image`);
  }
  const bare = blocks.filter((block) => block.type === 'video').filter(({ image }) => !image);
  await Promise.all(
    bare.map(async (block) => {
      block.image = await findPoster(block.url, context);
    }),
  );
  return blocks;
}

function readBlock(block: NewBioBlock, place: string, context: Context): StoredBlock {
  const common = { id: block.id ?? 0, enabled: block.enabled ?? true };
  const address = (text: string, name: string) => context.readAddress(text, `${place}.${name}`);
  const optional = (text: string | null | undefined, name: string) => (text ? address(text, name) : null);
  switch (block.type) {
    case 'link': {
      const url = readTarget(block.url, `${place}.url`, context);
      const link = context.ownLinkAt(url);
      const image = optional(block.image, 'image');
      return { ...block, ...common, url, image, ...(link !== undefined && { link }) };
    }
    case 'image': {
      const url = block.url ? readTarget(block.url, `${place}.url`, context) : null;
      return { ...block, ...common, image: address(block.image, 'image'), url };
    }
    case 'socials': {
      const items = block.items.map(({ network, url }, index) => ({
        network,
        url: readProfile(network, url, `${place}.items.${index}.url`, context),
      }));
      return { ...block, ...common, items };
    }
    case 'vcard':
      return { ...block, ...common, website: optional(block.website, 'website') };
    case 'video':
      return { ...block, ...common, url: address(block.url, 'url'), image: optional(block.image, 'image') };
    case 'file':
      if (!context.ownsFile(block.file)) {
        throw rejected('unknown_file', `${place}.file`, 'This is not one of your files.');
      }
      return { ...block, ...common };
    default:
      return { ...block, ...common };
  }
}

/** Where a visitor is led: a web address, or one of mail or telephone. */
function readTarget(text: string, field: string, { readAddress }: Context): string {
  const trimmed = text.trim();
  if (/^mailto:/i.test(trimmed)) return mailAddress(trimmed.slice(7), field);
  if (/^tel:/i.test(trimmed)) return phoneAddress(trimmed.slice(4), field);
  return readAddress(text, field);
}

/** People write their own mail address and number as they are; a network's profile has an address. */
function readProfile(network: string, text: string, field: string, context: Context): string {
  const bare = text.trim();
  if (network === 'email') return mailAddress(bare.replace(/^mailto:/i, ''), field);
  if (network === 'phone') return phoneAddress(bare.replace(/^tel:/i, ''), field);
  return readTarget(text, field, context);
}

function mailAddress(text: string, field: string): string {
  const [address = '', query = ''] = text.split('?', 2);
  // The length first: of a long text the pattern tries each dot with all that follows it.
  if (address.length > 254 || !/^[^\s@<>"'&?#]+@[^\s@<>"'&?#]+\.[^\s@<>"'&?#]+$/.test(address)) {
    throw rejected('invalid_url', field, 'Enter an email address, such as name@example.com.');
  }
  // Only the fields that a mail program shows before anything is sent.
  const wanted = [...new URLSearchParams(query)].filter(([name]) => /^(subject|body)$/i.test(name));
  const shown = wanted.map(([name, value]) => `${name.toLowerCase()}=${encodeURIComponent(value)}`).join('&');
  return `mailto:${address}${shown === '' ? '' : `?${shown}`}`;
}

function phoneAddress(text: string, field: string): string {
  const number = text.replace(/[\s().\-/]/g, '');
  if (!/^\+?\d{3,20}$/.test(number)) {
    throw rejected('invalid_url', field, 'Enter a phone number, such as +49 30 1234567.');
  }
  return `tel:${number}`;
}

/** The thumbnail of a video without a picture of its owner's; null if there is none. */
async function findPoster(url: string, { keepPicture }: Context): Promise<string | null> {
  const poster = videoPoster(url);
  if (poster === undefined) return null;
  try {
    await keepPicture(poster, 'image');
    return poster;
  } catch {
    // No picture is no fault of the video: the block is shown with a sign instead.
    return null;
  }
}

/**
 * Gives ids to new blocks. One that a page has, or once had, keeps its id and with it its clicks: so a block that was
 * taken out can be put back. Whatever else was sent as an id is not an id.
 */
export function numberBlocks(
  blocks: readonly StoredBlock[],
  next: number,
): { blocks: StoredBlock[]; next: number } {
  const used = new Set<number>();
  let free = next;
  const numbered = blocks.map((block) => {
    const isKnown = block.id > 0 && block.id < next && !used.has(block.id);
    const id = isKnown ? block.id : free++;
    used.add(id);
    return { ...block, id };
  });
  return { blocks: numbered, next: free };
}
