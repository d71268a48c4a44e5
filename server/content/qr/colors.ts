import { contrastOf } from '../../contract/contrast.ts';

/** Black or white, whichever is read better on a color. */
export function readableOn(color: string): string {
  return contrastOf(color, '#FFFFFF') >= contrastOf(color, '#15181E') ? '#FFFFFF' : '#15181E';
}
