import type { BioPreview } from '../../contract/bio.ts';
import { type NewBioBlock, newBioBlock } from '../../contract/bio-blocks.ts';
import { type BioThemeName, bioLook, bioThemes } from '../../contract/bio-themes.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import { boundedCache } from '../../platform/concurrency/bounded-cache.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Picture } from '../../platform/images/images.ts';
import {
  picturesOf,
  referredBy,
  type StoredBlock,
  shownBlocks,
} from '../../visits/redirects/pages/bio-blocks.ts';
import { bioDraft } from '../../visits/redirects/pages/bio-page.ts';
import { textsFor } from '../../visits/redirects/pages/texts.ts';
import { readBlocks } from './blocks.ts';

type BlockContext = Parameters<typeof readBlocks>[1];

/** How long a failed picture is not fetched again, in milliseconds. */
const retryAfterMs = 30_000;
const rememberedFailures = 200;
/** Small cached copies; each has some ten kilobytes. */
const rememberedCopies = 100;

interface Options {
  now: () => number;
  /** The stored pictures of an account, by the address that each came from. */
  findPictures: (userId: number, urls: readonly string[]) => Map<string, Picture>;
  /** A small copy of a picture. */
  shrink: (picture: Picture) => Promise<Picture>;
  findLinks: (userId: number, ids: readonly number[]) => Set<number>;
  findFiles: (userId: number, ids: readonly number[]) => Map<number, { name: string; size: number }>;
}

/**
 * Renders the page of a draft: with its complete parts and inlined pictures; it requests only the font from its
 * server.
 */
export function bioPreviews({ now, findPictures, shrink, findLinks, findFiles }: Options) {
  /** Failed URLs and when they failed: a draft is rendered again with every word typed. */
  const failures = new Map<string, number>();
  const copies = boundedCache<string, string>(rememberedCopies);

  /** Fetches a picture unless it is cached; failures are skipped. */
  async function tryPicture(url: string, field: string, { keepPicture }: BlockContext): Promise<void> {
    const failedAt = failures.get(url);
    if (failedAt !== undefined && now() - failedAt < retryAfterMs) return;
    failures.delete(url);
    const kept = await attempt(async () => {
      await keepPicture(url, field);
      return true;
    });
    if (kept) return;
    failures.set(url, now());
    const oldest = failures.size > rememberedFailures ? failures.keys().next().value : undefined;
    if (oldest !== undefined) failures.delete(oldest);
  }

  /** The blocks that can be shown, with the draft's own index as id. */
  async function readable(sent: readonly unknown[], context: BlockContext): Promise<StoredBlock[]> {
    const blocks: StoredBlock[] = [];
    for (const [index, block] of sent.entries()) {
      const parsed = safeParse(newBioBlock, block);
      if (!parsed.success || parsed.data.enabled === false) continue;
      const stored = await attempt(() => readOne(parsed.data, context));
      if (stored) blocks.push({ ...stored, id: index + 1 });
    }
    return blocks;
  }

  async function readOne(block: NewBioBlock, context: BlockContext): Promise<StoredBlock | undefined> {
    // A picture that cannot be fetched (yet) is left out, and the block is shown without it.
    const keepPicture = (url: string, field: string) => tryPicture(url, field, context);
    return (await readBlocks([block], { ...context, keepPicture }))[0];
  }

  async function embedded(userId: number, urls: readonly string[]): Promise<Map<string, string>> {
    const addresses = new Map<string, string>();
    for (const [url, picture] of findPictures(userId, urls)) {
      const name = `${userId} ${picture.body.length} ${url}`;
      const known = copies.get(name) ?? (await copyOf(picture));
      copies.set(name, known);
      addresses.set(url, known);
    }
    return addresses;
  }

  async function copyOf(picture: Picture): Promise<string> {
    const { type, body } = await shrink(picture);
    return `data:${type};base64,${body.toString('base64')}`;
  }

  return {
    async of(
      userId: number,
      draft: BioPreview,
      context: BlockContext,
      languages: readonly string[],
    ): Promise<string> {
      const blocks = await readable(draft.blocks ?? [], context);
      const avatar = draft.avatar
        ? ((await attempt(async () => {
            const url = context.readAddress(draft.avatar ?? '', 'avatar');
            await tryPicture(url, 'avatar', context);
            return url;
          })) ?? null)
        : null;
      const pictures = await embedded(userId, picturesOf(blocks, avatar));
      const { links, files } = referredBy(blocks);
      const knownLinks = findLinks(userId, links);
      const knownFiles = findFiles(userId, files);
      const { theme = 'plain', colors, shape = null, font = null } = draft;
      const name = (theme !== null && theme in bioThemes ? theme : 'plain') as BioThemeName;
      const view = {
        title: draft.title || draft.name || '…',
        description: draft.description || null,
        avatar: avatar === null ? undefined : pictures.get(avatar),
        look: bioLook(name, colors ?? {}, { shape, font }),
        blocks: shownBlocks(blocks, {
          picture: (url) => pictures.get(url),
          hasLink: (id) => knownLinks.has(id),
          file: (id) => knownFiles.get(id),
          counted: () => undefined,
          shared: () => ({ address: '', code: '' }),
        }),
      };
      const focus = draft.focus === null || draft.focus === undefined ? undefined : draft.focus + 1;
      return bioDraft(view, textsFor(languages), focus);
    },
  };
}

export type BioPreviews = ReturnType<typeof bioPreviews>;

/** The result of some work, or undefined if it was rejected: drafts are rarely valid in every part. */
async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
