import type { DropdownMenuItem } from '@nuxt/ui';
import { useOverlay } from '@nuxt/ui/composables';
import { useI18n } from 'vue-i18n';
import { useShortLinkOpening } from '../../api/short-link-opening.ts';
import { safeAddress } from '../../ui/addresses.ts';
import QrDialog from './QrDialog.vue';

/**
 * Returns `entriesOf(url)`: menu items that open a short link and show its QR code, for touch screens, which do not
 * show the hover buttons.
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
      // A new instance each time: with `destroyOnClose`, a closed dialog cannot be reopened.
      onSelect: () => void overlay.create(QrDialog, { destroyOnClose: true }).open({ url }),
    },
  ];
}
