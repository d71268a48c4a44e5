import { rejected } from '../../platform/errors.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import { fitImage } from '../../platform/images/images.ts';
import type { PictureQueries } from './queries.ts';

interface Options {
  queries: PictureQueries;
  fetcher: Fetcher;
  randomBytes: (size: number) => Buffer;
}

/** Bytes of a picture before it is made smaller. */
export const maxPictureBytes = 2_000_000;
const box = { width: 1200, height: 1200 };
/** Pictures of one account; previews of drafts keep some that no page shows, until the next sweep. */
const mostPictures = 1000;

/**
 * Pictures of overlays, splash pages and bio pages. They are fetched once, when somebody sets their address, and then
 * served from here: a visitor's browser asks nobody else (decisions, section 6).
 */
export function pictureService({ queries, fetcher, randomBytes }: Options) {
  return {
    /** Fetches a picture unless it is here already. Throws 400 naming the field. */
    async keep(userId: number, url: string, field: string): Promise<void> {
      if (queries.show(userId, url)) return;
      if (queries.count(userId) >= mostPictures) {
        queries.sweep(userId);
        if (queries.count(userId) >= mostPictures) throw tooManyPictures(field);
      }
      const { body } = await fetcher.get(url, { maxBytes: maxPictureBytes, field });
      const picture = await fitImage(body, box, field);
      queries.store(userId, url, randomBytes(16).toString('hex'), picture);
    },
    sweep: (userId: number): void => queries.sweep(userId),
  };
}

export type PictureService = ReturnType<typeof pictureService>;

function tooManyPictures(field: string) {
  const message = `Your pages show ${mostPictures} pictures already. Take one away first.`;
  return rejected('too_many_pictures', field, message);
}
