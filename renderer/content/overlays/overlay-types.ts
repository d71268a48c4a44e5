import type { OverlayType } from '../../../server/contract/overlays.ts';

/** The icon of a type; icons are literals, so that they are bundled. Other servers have types of their own. */
export function overlayIcon(type: string): string {
  return icons[type as OverlayType] ?? 'i-lucide-layers';
}

const icons: Record<OverlayType, string> = {
  message: 'i-lucide-message-square-text',
  contact: 'i-lucide-mail',
  newsletter: 'i-lucide-newspaper',
  poll: 'i-lucide-chart-bar-big',
  coupon: 'i-lucide-ticket-percent',
  image: 'i-lucide-image',
};

/** Types that visitors send something to. */
export function isAsking(type: string): boolean {
  return type === 'newsletter' || type === 'poll';
}
