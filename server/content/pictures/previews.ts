import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import { fitImage, type Picture } from '../../platform/images/images.ts';
import type { PictureRow } from './queries.ts';
import { maxPictureBytes } from './service.ts';

/** A picture for a preview: inlined, so that the page makes no requests. */
export interface PreviewPicture {
  /** A `data:` URL; null if there is no picture. */
  address: string | null;
  /** Why there is none. */
  problem?: { field: string; code: string; message: string };
}

interface Options {
  fetcher: Pick<Fetcher, 'get'>;
  /** The stored pictures of an account, by the address that each came from. */
  findAll: (userId: number, urls: readonly string[]) => Map<string, PictureRow>;
  /** Monotonic milliseconds. */
  monotonic: () => number;
}

/** Edge of the copy: half a page's width, twice for fine screens. Pixels. */
const edge = 640;
/** A preview is rendered with every word typed; results for a picture are cached this long. Milliseconds. */
const lastsMs = { picture: 600_000, problem: 30_000 };
const mostRemembered = 40;

/** Pictures of unsaved pages. They are fetched like the real ones, cached in memory for a while, and small. */
export function picturePreviews({ fetcher, findAll, monotonic }: Options) {
  const remembered = new Map<string, { picture: Promise<PreviewPicture>; at: number; lasts: number }>();

  async function draw(userId: number, url: string, field: string): Promise<PreviewPicture> {
    try {
      const stored = findAll(userId, [url]).get(url);
      const wanted = { field, party: accountParty(userId) };
      const content = stored?.body ?? (await fetcher.get(url, { maxBytes: maxPictureBytes, ...wanted })).body;
      return { address: dataAddress(await fitImage(content, { width: edge, height: edge }, wanted)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code = 'unreachable_url' } = error.details;
      return { address: null, problem: { field, code, message: error.message } };
    }
  }

  /** The picture at an address that a user chose; null for none. */
  return async (userId: number, url: string | null, field: string): Promise<PreviewPicture> => {
    if (url === null) return { address: null };
    const key = `${userId} ${field} ${url}`;
    const known = remembered.get(key);
    if (known && monotonic() - known.at < known.lasts) return known.picture;
    const picture = draw(userId, url, field);
    const entry = { picture, at: monotonic(), lasts: lastsMs.picture };
    remembered.delete(key);
    remembered.set(key, entry);
    for (const oldest of remembered.keys()) {
      if (remembered.size <= mostRemembered) break;
      remembered.delete(oldest);
    }
    try {
      const drawn = await picture;
      if (drawn.problem) entry.lasts = lastsMs.problem;
      return drawn;
    } catch (error) {
      remembered.delete(key);
      throw error;
    }
  };
}

export type PicturePreviews = ReturnType<typeof picturePreviews>;

function dataAddress({ type, body }: Picture): string {
  return `data:${type};base64,${body.toString('base64')}`;
}
