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

/** Form state of a block. It has the fields of all types; '' is not set. */
export interface DraftBlock {
  /** Identifies the block in the editor, including new ones without an id. */
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
  /** Whether visitors can copy the block's URL and show its QR code. */
  share: boolean;
  /** How a heading groups the blocks below it; '' for not at all. */
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

/** Form state of a page; '' is not set. */
export interface BioDraft {
  name: string;
  alias: string;
  /** Host name; '' is the instance's own host. */
  domain: string;
  title: string;
  description: string;
  avatar: string;
  theme: string;
  colors: DraftColors;
  /** '' uses the theme's. */
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

/** The text fields of each block type. Socials, files and highlights have more, which are added below. */
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
/** Required fields, which an empty text does not clear. */
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
/** The types that older servers support sharing for. */
const firstShareable: readonly BioBlockType[] = ['link', 'video', 'file'];

/** Whether visitors can share blocks of a type: only those that link somewhere. */
export function isShareable(type: BioBlockType, isOlder = false): boolean {
  return (isOlder ? firstShareable : shareable).includes(type);
}

/** Key of the page's header section, alongside the block keys. */
export const topKey = 'top';

let made = 0;

/** Creates an empty block of a type. */
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
    // The time keeps it distinct from the keys in drafts stored by an earlier session.
    key: `new-${Date.now().toString(36)}-${made}`,
  };
}

/** A copy of the block as a new one, without id and clicks. */
export function duplicateOf(block: DraftBlock): DraftBlock {
  const items = block.items.map((item) => ({ ...item }));
  return newBlock(block.type, { ...block, items, id: undefined, clicks: 0 });
}

/** The form state of a stored page. `ownHost` is the instance's host. */
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

/** The form state of a stored block; undefined for a type that this client does not know. */
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
  // For socials, the contract defines items as profiles.
  if (Array.isArray(block.items)) fields.items = (block.items as DraftBlock['items']).map(profileOf);
  const { id, enabled, clicks } = block;
  return { ...newBlock(type, { ...fields, id, enabled, clicks }), key: `block-${id}` };
}

/** Strips the URL scheme of email addresses and phone numbers. */
function profileOf({ network, url }: DraftBlock['items'][number]): DraftBlock['items'][number] {
  return { network, url: url.replace(/^(mailto|tel):/, '') };
}

/** The blocks in API format. The server rejects incomplete blocks and names the field. */
export function sentBlocks(blocks: readonly DraftBlock[]): NewBioBlock[] {
  return blocks.map((block) => {
    const texts = blockFields[block.type].map((name) => [
      name,
      block[name].trim() === '' && !needed[block.type].includes(name) ? null : block[name],
    ]);
    // The type system cannot verify this: `blockFields` selects the fields of each type, and the server validates them.
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

/** The update request of the whole page. */
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

/** The preview request. `focus` is the index of the block being edited. */
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

/** Whether two drafts have the same content; click counts and block keys are ignored. */
export function isSameDraft(one: BioDraft, other: BioDraft): boolean {
  return JSON.stringify(changeOf(one)) === JSON.stringify(changeOf(other));
}

/**
 * The fields of a page, with each block as a field under its key, so that two people can edit different blocks without
 * conflict.
 */
export interface PageFields extends Omit<BioDraft, 'blocks'> {
  /** The keys of the blocks in page order. */
  readonly order: readonly string[];
  readonly [block: `block-${number}` | `new-${string}`]: DraftBlock | undefined;
}

/** Converts a draft to fields. */
export function fieldsOf({ blocks, ...page }: BioDraft): PageFields {
  return {
    ...page,
    order: blocks.map(({ key }) => key),
    ...Object.fromEntries(blocks.map((block) => [block.key, block])),
  };
}

/** Converts fields to a draft. Blocks missing from the order go last. */
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
 * Merges concurrent changes of the block order: one side's order, with the other side's new blocks inserted after their
 * predecessors.
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
    // Includes blocks that one side removed: the other may have changed them, so they keep their place until the user
    // chooses.
    if (merged.includes(key)) continue;
    const before = other.slice(0, index).findLast((one) => merged.includes(one));
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, key);
  }
  return merged;
}

/** All text of a block, to distinguish it from others. */
export function blockWords(block: DraftBlock): string {
  const texts = blockFields[block.type].map((name) => block[name].trim());
  return [...texts, ...block.items.map(({ url }) => url)].filter((text) => text !== '').join(' · ');
}

/** Display name of a block in lists; '' if it has no text yet. */
export function blockName(block: DraftBlock): string {
  if (block.type === 'vcard') return block.name;
  if (block.type === 'heading' || block.type === 'text') return block.text.split('\n', 1)[0] ?? '';
  if (block.type === 'image') return block.alt;
  return block.title;
}
