import { useQueryCache } from '@pinia/colada';
import { useI18n } from 'vue-i18n';
import { deletePixel, type Pixel, restorePixel } from '../../server/contract/pixels.ts';
import { call } from '../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../api/instance.ts';
import { useConfirm } from '../ui/use-confirm.ts';
import { useDoneToast, useFailureToast, useUndoToast } from '../ui/use-toasts.ts';

/** Deletes pixels, with a way back where the server has one. */
export function usePixelActions() {
  const { t } = useI18n();
  const store = useInstanceStore();
  const queries = useQueryCache();
  const confirm = useConfirm();
  const offerUndo = useUndoToast();
  const showDone = useDoneToast();
  const showFailure = useFailureToast();

  /** Resolves when everything is here again. What could not be fetched is told by the page that shows it. */
  async function reload(): Promise<void> {
    await Promise.allSettled(
      ['pixels', 'links'].map((resource) => queries.invalidateQueries({ key: instanceQueryKey([resource]) })),
    );
  }

  /** Resolves to whether it is gone. Asks first where nothing brings it back. */
  async function remove({ id, name }: Pick<Pixel, 'id' | 'name'>): Promise<boolean> {
    const canRestore = store.can('restore');
    if (!canRestore) {
      const isSure = await confirm({
        title: t('pixels.confirm.title', { name }),
        description: t('pixels.confirm.description'),
        action: t('pixels.confirm.action'),
      });
      if (!isSure) return false;
    }
    try {
      await call(deletePixel, { params: { id } });
    } catch (error) {
      showFailure(error);
      return false;
    }
    void reload();
    if (!canRestore) showDone(t('pixels.deleted', { name }));
    else {
      offerUndo(t('pixels.deleted', { name }), async () => {
        await call(restorePixel, { params: { id } });
        await reload();
      });
    }
    return true;
  }

  return { remove, reload };
}
