import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Maximum length of an uploaded image: 600 kB in base64, plus the prefix. */
export const mostPictureCharacters = 900_000;

/** Ours: uploads an image, for every image field except a link's `metaimage` (decision 0099). */
export const addPicture = endpoint({
  method: 'POST',
  path: '/api/picture/add',
  summary: 'Upload a PNG or JPEG; every field for a picture takes the URL in the reply, but `metaimage`.',
  scope: 'files',
  body: z.object({
    /** `data:image/png;base64,…`, or the same with `jpeg`. */
    picture: z.string().max(mostPictureCharacters, 'Use a picture of at most 600 kB.'),
  }),
  reply: z.object({ url: z.string() }),
});
