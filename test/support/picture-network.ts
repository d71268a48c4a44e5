import sharp from 'sharp';
import { rejected } from '../../server/platform/errors.ts';
import type { Fetcher } from '../../server/platform/fetcher/fetcher.ts';

export interface PictureNetwork {
  /** For `startApp`. */
  fetcher: Pick<Fetcher, 'get'>;
  /** The addresses that were asked for, in order. */
  fetched: string[];
  /** The PNG that all of them have. */
  picture: Buffer;
}

/**
 * A network in which every URL has the same picture with the given edge in pixels; URLs with `missing` are unreachable,
 * and those with `text` have no picture.
 */
export async function pictureNetwork(edge = 40): Promise<PictureNetwork> {
  const picture = await sharp({ create: { width: edge, height: edge, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const fetched: string[] = [];
  return {
    fetched,
    picture,
    fetcher: {
      async get(url, { field }) {
        fetched.push(url);
        if (url.includes('missing')) throw rejected('unreachable_url', field, 'It could not be fetched.');
        return { body: url.includes('text') ? Buffer.from('<svg/>') : picture, type: 'image/png' };
      },
    },
  };
}
