import { useToast } from '@nuxt/ui/composables';
import { useEventListener } from '@vueuse/core';
import { onScopeDispose } from 'vue';
import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import { addLink } from '../../server/contract/links.ts';
import { call } from '../api/client.ts';
import { ignoreRejection } from '../api/ignore-rejection.ts';
import { useInstanceStore } from '../api/instance.ts';
import { useRole } from '../api/use-role.ts';
import { pastedAddress, readableAddress } from '../ui/addresses.ts';
import { copyText } from '../ui/copy-text.ts';
import { isFocusFree } from '../ui/focus-place.ts';
import { useLinkForm } from '../ui/use-link-form.ts';
import { isDialogOpen, isTyping } from '../ui/use-shortcuts.ts';
import { useFailureToast } from '../ui/use-toasts.ts';

const toastId = 'pasted-address';

interface Offer {
  address: string;
  /** A web page asked for it, through a `waypost:` link, so a stray Enter must not accept it. */
  isLinked?: boolean;
}

/**
 * Offers to shorten a URL pasted outside input fields, dropped on the page, or passed by a `waypost:` link:
 * immediately, also with Enter, or with the form. Returns `offer(address)`, which does the same with URLs from elsewhere.
 */
export function usePastedAddress(): (address: string) => void {
  const toast = useToast();
  const { t } = useI18n();
  const router = useRouter();
  const store = useInstanceStore();
  const linkForm = useLinkForm();
  const showFailure = useFailureToast();
  const { may } = useRole();
  const mayCreate = () => store.can('links') && may('create');
  /** What Enter shortens while its message is shown. */
  let accepted: string | undefined;

  useEventListener(document, 'paste', (event: ClipboardEvent) => {
    if (!mayCreate() || isTyping(event.target) || isDialogOpen(document)) return;
    const address = pastedAddress(event.clipboardData?.getData('text/plain') ?? '');
    if (!address) return;
    event.preventDefault();
    offer({ address });
  });

  useEventListener(document, 'keydown', (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && !event.repeat;
    if (event.key !== 'Enter' || !isPlain || event.defaultPrevented || event.isComposing) return;
    const isShown = toast.toasts.value.some(({ id, open }) => id === toastId && open !== false);
    if (!accepted || !isShown || !isFocusFree(document) || isDialogOpen(document)) return;
    event.preventDefault();
    void shorten(accepted);
  });

  // A dragged link or text; files have their own listeners.
  useEventListener(document, 'dragover', (event: DragEvent) => {
    if (isAddressDrag(event)) event.preventDefault();
  });
  useEventListener(document, 'drop', (event: DragEvent) => {
    if (!isAddressDrag(event) || isDialogOpen(document)) return;
    const dropped =
      event.dataTransfer?.getData('text/uri-list') || event.dataTransfer?.getData('text/plain') || '';
    const address = pastedAddress(
      dropped.split(/\r?\n/).find((line) => line !== '' && !line.startsWith('#')) ?? '',
    );
    if (!address || !mayCreate()) return;
    event.preventDefault();
    offer({ address });
  });

  function isAddressDrag({ target, dataTransfer, defaultPrevented }: DragEvent): boolean {
    const types = dataTransfer?.types ?? [];
    if (defaultPrevented || isTyping(target) || types.includes('Files')) return false;
    return types.includes('text/uri-list') || types.includes('text/plain');
  }

  // A `waypost:` link can come from any web page, so it only offers, like a paste.
  const { desktop } = window;
  const take = async () => {
    const address = await desktop?.offers.take();
    if (address && mayCreate()) offer({ address, isLinked: true });
  };
  onScopeDispose(desktop?.offers.onWaiting(() => ignoreRejection(take())) ?? (() => {}));
  ignoreRejection(take());
  return (address) => offer({ address });

  function offer({ address, isLinked = false }: Offer): void {
    accepted = isLinked ? undefined : address;
    toast.add({
      id: toastId,
      title: t(isLinked ? 'frame.paste.linked' : 'frame.paste.offer'),
      description: readableAddress(address),
      icon: 'i-lucide-scissors',
      color: 'primary',
      duration: 12_000,
      ui: { description: 'truncate' },
      actions: [
        {
          label: t('frame.paste.shorten'),
          color: 'primary',
          ...(isLinked ? {} : { trailingIcon: 'i-lucide-corner-down-left' }),
          onClick: () => void shorten(address),
        },
        {
          label: t('frame.paste.options'),
          color: 'neutral',
          variant: 'outline',
          onClick: () => {
            toast.remove(toastId);
            linkForm.open({ url: address });
          },
        },
      ],
    });
  }

  async function shorten(address: string, ifexists: 'return' | 'create' = 'return'): Promise<void> {
    toast.remove(toastId);
    accepted = undefined;
    try {
      const { id, shorturl, existing } = await call(addLink, { body: { url: address, ifexists } });
      const open = () => void router.push({ name: 'link', params: { id } });
      if (existing) {
        toast.add({
          id: toastId,
          title: t('links.already.title'),
          description: readableAddress(shorturl),
          icon: 'i-lucide-link',
          color: 'info',
          duration: 12_000,
          actions: [
            { label: t('links.already.open'), color: 'neutral', variant: 'outline', onClick: open },
            {
              label: t('links.already.another'),
              color: 'neutral',
              variant: 'outline',
              onClick: () => void shorten(address, 'create'),
            },
          ],
        });
        return;
      }
      const copied = await copyText(shorturl);
      toast.add({
        title: t(copied ? 'frame.paste.made' : 'frame.paste.madeOnly'),
        description: readableAddress(shorturl),
        icon: 'i-lucide-circle-check',
        color: 'success',
        actions: [
          {
            label: t('frame.paste.show'),
            color: 'neutral',
            variant: 'outline',
            onClick: open,
          },
        ],
      });
    } catch (error) {
      showFailure(error);
    }
  }
}
