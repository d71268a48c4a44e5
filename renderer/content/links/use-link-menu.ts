import type { DropdownMenuItem } from '@nuxt/ui';
import { useOverlay } from '@nuxt/ui/composables';
import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import type { Link } from '../../../server/contract/links.ts';
import { useShortLinkOpening } from '../../api/short-link-opening.ts';
import { useRole } from '../../api/use-role.ts';
import { safeAddress } from '../../ui/addresses.ts';
import { copyText } from '../../ui/copy-text.ts';
import { useLinkForm } from '../../ui/use-link-form.ts';
import { useDoneToast } from '../../ui/use-toasts.ts';
import { useMove } from '../moving/use-move.ts';
import QrDialog from './QrDialog.vue';
import type { BulkWish } from './use-bulk.ts';

/** Returns `menuOf(link)`: all actions of a link, the same in the list and on its page. */
export function useLinkMenu(wish: (link: Link, wish: BulkWish) => void) {
  const { t } = useI18n();
  const moving = useMove();
  const router = useRouter();
  const form = useLinkForm();
  const showDone = useDoneToast();
  const overlay = useOverlay();
  const opening = useShortLinkOpening();
  const { mayEdit } = useRole();
  /** A new instance each time: with `destroyOnClose`, a closed dialog cannot be reopened. */
  const showCode = (url: string) => void overlay.create(QrDialog, { destroyOnClose: true }).open({ url });

  async function copy(text: string): Promise<void> {
    if (await copyText(text)) showDone(t('links.actions.copied'));
  }

  function openAddress(url: string): void {
    const address = safeAddress(url);
    if (address) opening.open(address);
  }

  return (link: Link): DropdownMenuItem[][] => {
    // The user may open the link next.
    opening.prepare();
    const act = (action: BulkWish['action']) => ({
      label: t(`links.actions.${action}`),
      onSelect: () => wish(link, { action }),
    });
    if (link.state === 'trashed') {
      if (!mayEdit(link)) return [];
      return [
        [{ ...act('restore'), icon: 'i-lucide-undo-2' }],
        [{ ...act('purge'), icon: 'i-lucide-trash-2', color: 'error' }],
      ];
    }
    const isArchived = link.state === 'archived';
    const groups: (DropdownMenuItem | false)[][] = [
      [
        { label: t('links.actions.copy'), icon: 'i-lucide-copy', onSelect: () => void copy(link.shorturl) },
        {
          label: t('links.actions.copyDestination'),
          icon: 'i-lucide-clipboard',
          onSelect: () => void copy(link.longurl),
        },
        {
          label: t('links.actions.open'),
          icon: 'i-lucide-external-link',
          onSelect: () => openAddress(link.shorturl),
        },
        {
          label: t('ui.qr.show'),
          icon: 'i-lucide-qr-code',
          onSelect: () => showCode(link.shorturl),
        },
        {
          label: t('links.actions.statistics'),
          icon: 'i-lucide-chart-no-axes-column',
          kbds: ['enter'],
          onSelect: () => void router.push({ name: 'link', params: { id: link.id } }),
        },
      ],
      [
        mayEdit(link) && {
          label: t('links.actions.edit'),
          icon: 'i-lucide-pencil',
          kbds: ['E'],
          onSelect: () => form.open({ linkId: link.id }),
        },
        mayEdit(link) &&
          (isArchived
            ? { ...act('unarchive'), icon: 'i-lucide-archive-restore' }
            : { ...act('archive'), icon: 'i-lucide-archive' }),
        mayEdit(link) &&
          (link.locked
            ? { ...act('unlock'), icon: 'i-lucide-lock-open' }
            : { ...act('lock'), icon: 'i-lucide-lock' }),
        ...(mayEdit(link) ? moving.entry('links', link.id) : []),
      ],
      [
        mayEdit(link) && {
          ...act('delete'),
          icon: 'i-lucide-trash-2',
          color: 'error',
          kbds: ['delete'],
          disabled: link.locked === true,
        },
      ],
    ];
    return groups.map((group) => group.filter((item) => item !== false)).filter(({ length }) => length > 0);
  };
}
