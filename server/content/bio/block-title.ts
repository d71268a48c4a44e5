import { socialNetworks } from '../../contract/bio-blocks.ts';
import type { StoredBlock } from '../../visits/redirects/pages/bio-blocks.ts';

/** A block's name in lists, from its owner's text; '' if it has none. */
export function blockTitle(block: StoredBlock): string {
  switch (block.type) {
    case 'vcard':
      return block.name;
    case 'image':
      return block.alt ?? '';
    case 'heading':
    case 'text':
      return block.text;
    case 'socials':
      return block.items.map(({ network }) => socialNetworks[network]).join(', ');
    case 'divider':
      return '';
    default:
      return block.title ?? '';
  }
}
