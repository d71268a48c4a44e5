import type { DropdownMenuItem } from '@nuxt/ui';
import { computed, type Ref, ref } from 'vue';
import { useI18n } from 'vue-i18n';
import { exportLinks } from '../../../server/contract/links.ts';
import { call } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { useRole } from '../../api/use-role.ts';
import { saveText } from '../../ui/save-file.ts';
import { useFailureToast } from '../../ui/use-toasts.ts';
import { filterOfView, type LinkView } from './link-view.ts';

const types = { csv: 'text/csv', json: 'application/json' } as const;

/** Export of a view's links to a file; `menu` is empty if the server does not support export. */
export function useLinkExport(view: Readonly<Ref<LinkView>>) {
  const { t } = useI18n();
  const store = useInstanceStore();
  const showFailure = useFailureToast();
  const isExporting = ref(false);
  const { mayAll } = useRole();

  async function save(format: keyof typeof types): Promise<void> {
    isExporting.value = true;
    try {
      const query = { ...filterOfView(view.value), format, inline: '1' } as const;
      const { filename, content } = (await call(exportLinks, { query })).data;
      await saveText(content, types[format], filename);
    } catch (error) {
      showFailure(error);
    } finally {
      isExporting.value = false;
    }
  }

  const menu = computed<DropdownMenuItem[][]>(() => {
    if (!store.can('export') || !mayAll('edit')) return [];
    return [
      [
        { label: t('links.export.csv'), icon: 'i-lucide-file-spreadsheet', onSelect: () => void save('csv') },
        { label: t('links.export.json'), icon: 'i-lucide-file-braces', onSelect: () => void save('json') },
      ],
    ];
  });

  return { isExporting, menu };
}
