import type { OverlayType } from '../../../server/contract/overlays.ts';

/** The icon of a type, as a literal so that it is bundled; a default for types of other servers. */
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

/** Whether visitors can submit something to overlays of this type. */
export function isAsking(type: string): boolean {
  return type === 'newsletter' || type === 'poll';
}
