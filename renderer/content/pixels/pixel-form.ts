import type { Pixel, PixelType } from '../../../server/contract/pixels.ts';

/** Form state of a pixel. */
export interface PixelFormState {
  type: PixelType;
  name: string;
  tag: string;
}

/** The form state of a new pixel. */
export function emptyPixelForm(): PixelFormState {
  return { type: 'gapixel', name: '', tag: '' };
}

/** The changed fields in API format. A pixel's type cannot be changed. */
export function pixelChangeOf(form: PixelFormState, before: Pick<Pixel, 'name' | 'tag'>) {
  const name = form.name.trim();
  const tag = form.tag.trim();
  return { ...(name !== before.name && { name }), ...(tag !== before.tag && { tag }) };
}
