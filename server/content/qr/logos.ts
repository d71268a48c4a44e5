import { createHash } from 'node:crypto';
import { hasLongHost } from '../../contract/long-host.ts';
import { boundedCache } from '../../platform/concurrency/bounded-cache.ts';
import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import { rejected } from '../../platform/errors.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import { readDataAddress } from '../../platform/images/data-address.ts';
import { fitPng } from '../../platform/images/images.ts';

/** The picture in the middle of a code, re-encoded here. */
export interface Logo {
  /** The address that it came from; `data:` when it was sent itself. */
  logo: string;
  logo_image: Buffer;
}

const maxBytes = 2_000_000;
/** Enough for a poster: a logo is at most a third as wide as its code. */
const box = { width: 480, height: 480 };

export type Logos = ReturnType<typeof logos>;

/** Gets the logos of codes, from an address through the guarded fetcher or out of a `data:` address. */
export function logos({ fetcher }: { fetcher: Fetcher }) {
  // A preview asks for the same picture again and again while its code is being drawn.
  const recent = boundedCache<string, Logo>(16);

  async function make(text: string, userId: number): Promise<Logo> {
    const wanted = { field: 'logo', party: accountParty(userId) };
    if (!text.startsWith('data:')) {
      if (!/^https?:\/\//i.test(text) || hasLongHost(text) || !URL.canParse(text)) throw invalid();
      const { body } = await fetcher.get(text, { maxBytes, ...wanted });
      return { logo: text, logo_image: (await fitPng(body, box, wanted)).body };
    }
    const content = readDataAddress(text);
    if (content === undefined) throw invalid();
    const { body } = await fitPng(content, box, wanted);
    return { logo: 'data:', logo_image: body };
  }

  return {
    /** Throws 400 that names the field `logo`. */
    async get(userId: number, text: string): Promise<Logo> {
      const key = `${userId} ${createHash('sha256').update(text).digest('base64')}`;
      const known = recent.get(key);
      if (known) return known;
      const made = await make(text, userId);
      recent.set(key, made);
      return made;
    },
  };
}

function invalid() {
  return rejected('invalid_url', 'logo', 'Choose a PNG or JPEG picture, or enter its URL.');
}
