import { useToast } from '@nuxt/ui/composables';
import { useEventListener } from '@vueuse/core';
import { useI18n } from 'vue-i18n';
import { isNavigationFailure, useRouter } from 'vue-router';
import { useInstanceStore } from '../api/instance.ts';
import { useRole } from '../api/use-role.ts';
import { type DropLabels, handOver, useFileDrops } from '../ui/file-drops.ts';
import { isDialogOpen, isTyping } from '../ui/use-shortcuts.ts';
import { addressInFile, type DropPlace, type DropRights, placeOf, tableOfAddresses } from './dropped-file.ts';

const pages: Readonly<Record<DropPlace, { name: string; params?: { section: string } }>> = {
  import: { name: 'import' },
  files: { name: 'files' },
  backups: { name: 'settings', params: { section: 'backups' } },
};

/**
 * Handles files dropped on pages that do not use them: each file type opens its page. So do several URLs pasted outside
 * an input field, or into the field for a new link (`data-new-link`). `offer` is called with the URL if the file
 * contains exactly one.
 */
export function useDroppedFiles(offer: (address: string) => void): void {
  const toast = useToast();
  const { t } = useI18n();
  const router = useRouter();
  const store = useInstanceStore();
  const role = useRole();

  const may = (): DropRights => ({
    links: store.can('links') && role.may('create'),
    import: store.can('links') && store.can('import') && role.mayAll('edit'),
    files: store.can('files') && role.may('create'),
    backups: store.can('backup') && role.isAdministrator.value,
  });

  useFileDrops({ labels, take: (files) => void place(files) });
  useEventListener(document, 'paste', (event: ClipboardEvent) => {
    const isForLink = event.target instanceof Element && event.target.closest('[data-new-link]') !== null;
    if (!may().links || (isTyping(event.target) && !isForLink) || isDialogOpen(document)) return;
    const table = tableOfAddresses(event.clipboardData?.getData('text/plain') ?? '');
    if (!table) return;
    event.preventDefault();
    if (may().import) void place([table]);
    else refuseSeveral();
  });

  function labels(): DropLabels | undefined {
    const { import: imports, files } = may();
    // Navigating would hide the open dialog.
    if (isDialogOpen(document) || !(imports || files)) return undefined;
    return {
      title: t('frame.drop.title'),
      description: t(`frame.drop.${imports && files ? 'both' : imports ? 'import' : 'files'}`),
    };
  }

  async function place(files: File[]): Promise<void> {
    const [only] = files;
    const address = files.length === 1 && only && may().links ? await addressInFile(only) : undefined;
    if (address) return offer(address);
    const target = placeOf(files, may());
    if (!target) return refuse(files);
    const takeBack = handOver(target, files);
    // A page with unsaved changes asks first, and the user may stay.
    if (isNavigationFailure(await router.push(pages[target]))) takeBack();
  }

  function refuseSeveral(): void {
    toast.add({
      title: t('frame.paste.oneOnly'),
      ...(!role.mayAll('edit') && { description: t('frame.paste.importIsFor') }),
      icon: 'i-lucide-circle-alert',
      color: 'warning',
    });
  }

  function refuse(files: readonly File[]): void {
    toast.add({
      title: t('frame.drop.refused', { name: files[0]?.name ?? '' }, files.length),
      description: t(may().files ? 'frame.drop.isBackup' : 'frame.drop.onlyTables'),
      icon: 'i-lucide-circle-alert',
      color: 'warning',
    });
  }
}
