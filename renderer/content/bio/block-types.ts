import type { BioBlockType } from '../../../server/contract/bio-blocks.ts';

/** The icon of each block type. Literals, so that the icons are bundled. */
export const blockIcons: Record<BioBlockType, string> = {
  link: 'i-lucide-link',
  heading: 'i-lucide-heading',
  text: 'i-lucide-text-align-start',
  image: 'i-lucide-image',
  divider: 'i-lucide-minus',
  socials: 'i-lucide-at-sign',
  vcard: 'i-lucide-contact-round',
  video: 'i-lucide-circle-play',
  file: 'i-lucide-file-down',
  contact: 'i-lucide-mail',
};
