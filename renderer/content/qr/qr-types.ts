import type { QrType } from '../../../server/contract/qr-content.ts';

/** The content types in display order. Icons are literals, so that they are bundled. */
export const qrTypeIcons: readonly { type: QrType; icon: string }[] = [
  { type: 'link', icon: 'i-lucide-link' },
  { type: 'text', icon: 'i-lucide-type' },
  { type: 'vcard', icon: 'i-lucide-contact' },
  { type: 'wifi', icon: 'i-lucide-wifi' },
  { type: 'email', icon: 'i-lucide-mail' },
  { type: 'phone', icon: 'i-lucide-phone' },
  { type: 'sms', icon: 'i-lucide-message-square' },
  { type: 'event', icon: 'i-lucide-calendar' },
  { type: 'geo', icon: 'i-lucide-map-pin' },
];

/** The icon of a type. */
export function iconOfType(type: QrType): string {
  return qrTypeIcons.find((known) => known.type === type)?.icon ?? 'i-lucide-qr-code';
}
