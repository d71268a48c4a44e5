import type { DropdownMenuItem } from '@nuxt/ui';
import { offers } from './offers.ts';

const offered = offers<DropdownMenuItem>();

/**
 * Registers the actions of the current page, mostly those of the record that it shows, for the lifetime of the calling
 * component; the command palette offers them.
 */
export const usePageActions = offered.add;

/** The actions of the current page that can be run now. */
export function offeredActions(): readonly DropdownMenuItem[] {
  return offered.all().filter(({ disabled }) => disabled !== true);
}
