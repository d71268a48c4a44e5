import type { RouteLocationRaw } from 'vue-router';
import type { ChannelItem, ChannelItemType } from '../../../server/contract/channels.ts';

/** The sign of each type; its name is in the catalogue below `channels.types`. */
export const itemIcons: Record<ChannelItemType, string> = {
  links: 'i-lucide-link',
  bio: 'i-lucide-panels-top-left',
  qr: 'i-lucide-qr-code',
};

/** The routes of the pages of each type of thing. */
const routeNames: Record<ChannelItemType, string> = { links: 'link', bio: 'bio-page', qr: 'qr-code' };

/** Where a thing is looked at; undefined while there is no such page. */
export function pageOfItem(
  { type, id }: ChannelItem,
  hasRoute: (name: string) => boolean,
): RouteLocationRaw | undefined {
  const name = routeNames[type];
  return hasRoute(name) ? { name, params: { id } } : undefined;
}
