import type { BioChange, BioDetails, BioPreview } from '../../../server/contract/bio.ts';
import type {
  BioBlock,
  BioBlockType,
  BioGroup,
  NewBioBlock,
  SocialNetwork,
} from '../../../server/contract/bio-blocks.ts';
import { bioBlockTypes, bioGroups } from '../../../server/contract/bio-blocks.ts';
import type { BioFont, BioShape } from '../../../server/contract/bio-themes.ts';

/** A block as people fill it in. It has every field that any type has; '' is not set. */
export interface DraftBlock {
  /** Names the block on this page, also while it is new. */
  key: string;
  id?: number | undefined;
  type: BioBlockType;
  enabled: boolean;
  clicks: number;
  title: string;
  url: string;
  description: string;
  image: string;
  highlight: boolean;
  /** Whether visitors can copy its address and see its QR code. */
  share: boolean;
  /** How a heading holds the blocks below it; '' is not at all. */
  group: BioGroup | '';
  text: string;
  alt: string;
  items: { network: SocialNetwork; url: string }[];
  name: string;
  role: string;
  organization: string;
  email: string;
  phone: string;
  website: string;
  address: string;
  note: string;
  file: number | undefined;
  button: string;
}

interface DraftColors {
  background: string;
  text: string;
  button: string;
  buttontext: string;
}

/** A page as people fill it in; '' is not set. */
export interface BioDraft {
  name: string;
  alias: string;
  /** Host name; '' is the instance's own address. */
  domain: string;
  title: string;
  description: string;
  avatar: string;
  theme: string;
  colors: DraftColors;
  /** '' is the theme's own. */
  shape: BioShape | '';
  font: BioFont | '';
  blocks: DraftBlock[];
}

type TextField =
  | 'title'
  | 'url'
  | 'description'
  | 'image'
  | 'text'
  | 'alt'
  | 'name'
  | 'role'
  | 'organization'
  | 'email'
  | 'phone'
  | 'website'
  | 'address'
  | 'note'
  | 'button';

/** The texts that each type of block has. Socials, files and highlights have more, which is added below. */
export const blockFields: Record<BioBlockType, readonly TextField[]> = {
  link: ['title', 'url', 'description', 'image'],
  heading: ['text'],
  text: ['text'],
  image: ['image', 'alt', 'url'],
  divider: [],
  socials: [],
  vcard: ['name', 'role', 'organization', 'email', 'phone', 'website', 'address', 'note'],
  video: ['title', 'url', 'image'],
  file: ['title'],
  contact: ['title', 'button'],
};
/** Fields that an empty text does not clear, because a block cannot be without them. */
const needed: Record<BioBlockType, readonly TextField[]> = {
  link: ['title', 'url'],
  heading: ['text'],
  text: ['text'],
  image: ['image'],
  divider: [],
  socials: [],
  vcard: ['name'],
  video: ['title', 'url'],
  file: [],
  contact: ['title'],
};

const shareable: readonly BioBlockType[] = ['link', 'video', 'file', 'image', 'socials', 'vcard'];
/** Older servers have it for these alone. */
const firstShareable: readonly BioBlockType[] = ['link', 'video', 'file'];

/** Whether visitors can pass on blocks of a type: those that lead somewhere. */
export function isShareable(type: BioBlockType, isOlder = false): boolean {
  return (isOlder ? firstShareable : shareable).includes(type);
}

/** Stands for the top of the page among the keys of blocks. */
export const topKey = 'top';

let made = 0;

/** An empty block of a type. */
export function newBlock(type: BioBlockType, fields: Partial<DraftBlock> = {}): DraftBlock {
  made += 1;
  return {
    type,
    enabled: true,
    clicks: 0,
    title: '',
    url: '',
    description: '',
    image: '',
    highlight: false,
    share: false,
    group: '',
    text: '',
    alt: '',
    items: type === 'socials' ? [{ network: 'instagram', url: '' }] : [],
    name: '',
    role: '',
    organization: '',
    email: '',
    phone: '',
    website: '',
    address: '',
    note: '',
    file: undefined,
    button: '',
    ...fields,
    // Also unlike the keys of a draft that was stored by an earlier page.
    key: `new-${Date.now().toString(36)}-${made}`,
  };
}

/** The same block once more, as a new one. */
export function duplicateOf(block: DraftBlock): DraftBlock {
  const items = block.items.map((item) => ({ ...item }));
  return newBlock(block.type, { ...block, items, id: undefined, clicks: 0 });
}

/** The draft of a stored page. `ownHost` is the instance's. */
export function draftOf(page: BioDetails, ownHost: string): BioDraft {
  const host = page.domain.replace(/^https?:\/\//, '');
  return {
    name: page.name,
    alias: page.alias,
    domain: host === ownHost ? '' : host,
    title: page.title ?? '',
    description: page.description ?? '',
    avatar: page.avatar ?? '',
    theme: page.theme,
    colors: { background: '', text: '', button: '', buttontext: '', ...page.colors },
    shape: page.shape ?? '',
    font: page.font ?? '',
    blocks: page.blocks.flatMap((block) => draftBlockOf(block) ?? []),
  };
}

/** A stored block; undefined for a type that this client does not know. */
function draftBlockOf(block: BioBlock): DraftBlock | undefined {
  const type = bioBlockTypes.find((known) => known === block.type);
  if (!type) return undefined;
  const fields: Partial<DraftBlock> = {};
  for (const name of blockFields[type]) {
    const value = block[name];
    if (typeof value === 'string') fields[name] = value;
  }
  if (block.highlight === true) fields.highlight = true;
  if (block.share === true) fields.share = true;
  fields.group = bioGroups.find((group) => group === block.group) ?? '';
  if (typeof block.file === 'number') fields.file = block.file;
  // The contract has them so for socials.
  if (Array.isArray(block.items)) fields.items = (block.items as DraftBlock['items']).map(profileOf);
  const { id, enabled, clicks } = block;
  return { ...newBlock(type, { ...fields, id, enabled, clicks }), key: `block-${id}` };
}

/** Mail addresses and numbers as people write them. */
function profileOf({ network, url }: DraftBlock['items'][number]): DraftBlock['items'][number] {
  return { network, url: url.replace(/^(mailto|tel):/, '') };
}

/** The blocks as they are sent. A block that is not complete is refused by the server, which names the field. */
export function sentBlocks(blocks: readonly DraftBlock[]): NewBioBlock[] {
  return blocks.map((block) => {
    const texts = blockFields[block.type].map((name) => [
      name,
      block[name].trim() === '' && !needed[block.type].includes(name) ? null : block[name],
    ]);
    // What the server checks is the type's own shape, which the fields above were chosen by.
    return {
      ...(block.id !== undefined && { id: block.id }),
      type: block.type,
      enabled: block.enabled,
      ...Object.fromEntries(texts),
      ...(block.type === 'link' && { highlight: block.highlight }),
      ...(isShareable(block.type) && { share: block.share }),
      ...(block.type === 'heading' && { group: block.group || null }),
      ...(block.type === 'file' && { file: block.file }),
      ...(block.type === 'socials' && { items: block.items }),
    } as NewBioBlock;
  });
}

/** The whole page as an update sends it. */
export function changeOf(draft: BioDraft): BioChange {
  return {
    name: draft.name,
    ...(draft.alias !== '' && { alias: draft.alias }),
    domain: draft.domain || null,
    ...lookOf(draft),
    title: draft.title || null,
    description: draft.description || null,
    avatar: draft.avatar || null,
    theme: draft.theme,
    blocks: sentBlocks(draft.blocks),
  };
}

/** What the server draws a preview from. `focus` is the index of the block that is worked on. */
export function previewOf(draft: BioDraft, focus: number | undefined): BioPreview {
  return {
    name: draft.name,
    title: draft.title,
    description: draft.description,
    avatar: draft.avatar || null,
    theme: draft.theme,
    ...lookOf(draft),
    blocks: sentBlocks(draft.blocks) as unknown as Record<string, unknown>[],
    focus: focus ?? null,
  };
}

function lookOf({ colors, shape, font }: BioDraft) {
  const chosen = Object.entries(colors).filter(([, value]) => value !== '');
  return {
    colors: chosen.length === 0 ? null : Object.fromEntries(chosen),
    shape: shape || null,
    font: font || null,
  };
}

/** Whether two drafts say the same; counted clicks and the names of blocks on the page are no difference. */
export function isSameDraft(one: BioDraft, other: BioDraft): boolean {
  return JSON.stringify(changeOf(one)) === JSON.stringify(changeOf(other));
}

/**
 * The fields of a page, in which each block is one of its own, by its key: two people at two blocks are in nobody's
 * way.
 */
export interface PageFields extends Omit<BioDraft, 'blocks'> {
  /** The keys of the blocks as they follow each other. */
  readonly order: readonly string[];
  readonly [block: `block-${number}` | `new-${string}`]: DraftBlock | undefined;
}

/** A draft as fields. */
export function fieldsOf({ blocks, ...page }: BioDraft): PageFields {
  return {
    ...page,
    order: blocks.map(({ key }) => key),
    ...Object.fromEntries(blocks.map((block) => [block.key, block])),
  };
}

/** The draft of such fields. A block that the order does not name is last. */
export function draftOfFields(fields: PageFields): BioDraft {
  const { name, alias, domain, title, description, avatar, theme, colors, shape, font, order } = fields;
  const blocks = new Map(
    Object.entries(fields).flatMap(([key, value]) =>
      isBlockKey(key) && value ? [[key, value as DraftBlock]] : [],
    ),
  );
  const sorted = [...new Set([...order, ...blocks.keys()])].flatMap((key) => blocks.get(key) ?? []);
  return { name, alias, domain, title, description, avatar, theme, colors, shape, font, blocks: sorted };
}

/** Whether a field is a block. */
export function isBlockKey(name: string): boolean {
  return /^(block|new)-/.test(name);
}

/**
 * An order of blocks that two people changed: as one of them left it, with what the other put in behind what it was put
 * behind.
 */
export function mergedOrder(
  was: readonly string[],
  theirs: readonly string[],
  mine: readonly string[],
): string[] {
  const isMoved =
    JSON.stringify(mine.filter((key) => was.includes(key))) !==
    JSON.stringify(was.filter((key) => mine.includes(key)));
  const [base, other] = isMoved ? [mine, theirs] : [theirs, mine];
  const merged = [...base];
  for (const [index, key] of other.entries()) {
    // Also what the one took out: it may have been changed by the other, and is placed where it was until somebody
    // chooses.
    if (merged.includes(key)) continue;
    const before = other.slice(0, index).findLast((one) => merged.includes(one));
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, key);
  }
  return merged;
}

/** The words of a block, to be told apart from those of another. */
export function blockWords(block: DraftBlock): string {
  const texts = blockFields[block.type].map((name) => block[name].trim());
  return [...texts, ...block.items.map(({ url }) => url)].filter((text) => text !== '').join(' · ');
}

/** What a block is called in a list; '' when it has no words yet. */
export function blockName(block: DraftBlock): string {
  if (block.type === 'vcard') return block.name;
  if (block.type === 'heading' || block.type === 'text') return block.text.split('\n', 1)[0] ?? '';
  if (block.type === 'image') return block.alt;
  return block.title;
}
