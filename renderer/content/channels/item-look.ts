import type { RouteLocationRaw } from 'vue-router';
import type { ChannelItem, ChannelItemType } from '../../../server/contract/channels.ts';

/** The icon of each type; the names are in the catalogue under `channels.types`. */
export const itemIcons: Record<ChannelItemType, string> = {
  links: 'i-lucide-link',
  bio: 'i-lucide-panels-top-left',
  qr: 'i-lucide-qr-code',
};

/** Route names of the detail pages by type. */
const routeNames: Record<ChannelItemType, string> = { links: 'link', bio: 'bio-page', qr: 'qr-code' };

/** The route of an item's page; undefined if there is no such page. */
export function pageOfItem(
  { type, id }: ChannelItem,
  hasRoute: (name: string) => boolean,
): RouteLocationRaw | undefined {
  const name = routeNames[type];
  return hasRoute(name) ? { name, params: { id } } : undefined;
}
