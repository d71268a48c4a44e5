import { useToast } from '@nuxt/ui/composables';
import { h } from 'vue';
import { useI18n } from 'vue-i18n';
import { readableAddress } from '../../ui/addresses.ts';
import { copyText } from '../../ui/copy-text.ts';
import { qrSvg, svgAddress } from '../../ui/qr-code.ts';
import { useLinkForm } from '../../ui/use-link-form.ts';

/** A fixed id: only one such toast exists, and other components can remove it. */
export const madeToastId = 'link-made';

/** How long the toast stays for scanning the code, in milliseconds. */
const shownFor = 12_000;

/** Returns `showMade(link)`: copies a new short link, and shows it with its QR code and an Edit button. */
export function useMadeToast() {
  const toast = useToast();
  const form = useLinkForm();
  const { t } = useI18n();
  return async ({ id, shorturl }: { id: number; shorturl: string }): Promise<void> => {
    const copied = await copyText(shorturl);
    const code = svgAddress(await qrSvg(shorturl));
    const name = readableAddress(shorturl);
    toast.add({
      id: madeToastId,
      title: t(copied ? 'links.made.copied' : 'links.made.made'),
      description: () =>
        h('span', { class: 'mt-1 flex items-center gap-3' }, [
          h('img', {
            src: code,
            alt: t('links.made.code', { name }),
            class: 'size-20 rounded-md bg-white ring ring-default',
          }),
          h('bdi', { class: 'min-w-0 truncate font-medium text-highlighted' }, name),
        ]),
      icon: 'i-lucide-circle-check',
      color: 'success',
      duration: shownFor,
      actions: [
        {
          label: t('links.made.edit'),
          icon: 'i-lucide-pencil',
          color: 'neutral',
          variant: 'outline',
          onClick: () => {
            toast.remove(madeToastId);
            form.open({ linkId: id });
          },
        },
        {
          label: t('links.made.copyAgain'),
          icon: 'i-lucide-copy',
          color: 'neutral',
          variant: 'outline',
          onClick: (event: MouseEvent) => {
            event.stopPropagation();
            void copyText(shorturl);
          },
        },
      ],
    });
  };
}
