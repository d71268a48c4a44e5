import type { DropdownMenuItem } from '@nuxt/ui';
import { useOverlay } from '@nuxt/ui/composables';
import { useI18n } from 'vue-i18n';
import { useShortLinkOpening } from '../../api/short-link-opening.ts';
import { safeAddress } from '../../ui/addresses.ts';
import QrDialog from './QrDialog.vue';

/**
 * Returns `entriesOf(url)`: what opens a short link and shows its QR code, for a finger, which finds no buttons by
 * hovering.
 */
export function useShortLinkMenu(): (url: string) => DropdownMenuItem[] {
  const { t } = useI18n();
  const overlay = useOverlay();
  const opening = useShortLinkOpening();

  function open(url: string): void {
    const address = safeAddress(url);
    if (address) opening.open(address);
  }

  return (url) => [
    { label: t('ui.link.open'), icon: 'i-lucide-external-link', onSelect: () => open(url) },
    {
      label: t('ui.qr.show'),
      icon: 'i-lucide-qr-code',
      // One for each time: a dialog that was closed is gone and cannot be opened again.
      onSelect: () => void overlay.create(QrDialog, { destroyOnClose: true }).open({ url }),
    },
  ];
}
