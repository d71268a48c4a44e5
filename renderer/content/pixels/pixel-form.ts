import type { Pixel, PixelType } from '../../../server/contract/pixels.ts';

/** The fields of a pixel as people fill them in. */
export interface PixelFormState {
  type: PixelType;
  name: string;
  tag: string;
}

/** A new pixel before anything was typed. */
export function emptyPixelForm(): PixelFormState {
  return { type: 'gapixel', name: '', tag: '' };
}

/** The changed fields in wire format. The type of a pixel stays. */
export function pixelChangeOf(form: PixelFormState, before: Pick<Pixel, 'name' | 'tag'>) {
  const name = form.name.trim();
  const tag = form.tag.trim();
  return { ...(name !== before.name && { name }), ...(tag !== before.tag && { tag }) };
}
