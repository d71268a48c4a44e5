import type { DropdownMenuItem } from '@nuxt/ui';
import { useI18n } from 'vue-i18n';
import { useShortLinkOpening } from '../api/short-link-opening.ts';
import { safeAddress } from './addresses.ts';
import { copyText } from './copy-text.ts';

/** Of a short link: the entries of its menu that copy it and open it, for a finger, which finds no buttons by hovering. */
export function useShortLinkMenu(): (url: string) => DropdownMenuItem[] {
  const { t } = useI18n();
  const opening = useShortLinkOpening();

  function open(url: string): void {
    const address = safeAddress(url);
    if (address) opening.open(address);
  }

  return (url) => [
    { label: t('ui.link.copy'), icon: 'i-lucide-copy', onSelect: () => void copyText(url) },
    { label: t('ui.link.open'), icon: 'i-lucide-external-link', onSelect: () => open(url) },
  ];
}
