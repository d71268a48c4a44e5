import { useI18n } from 'vue-i18n';
import { bulkLinks, type Link, undo } from '../../../server/contract/links.ts';
import { call } from '../../api/client.ts';
import { useConfirm } from '../../ui/use-confirm.ts';
import { useDoneToast, useFailureToast, useUndoToast } from '../../ui/use-toasts.ts';
import { tellLinkChange } from './link-changes.ts';
import type { BulkWish } from './use-bulk.ts';

/** Runs an action on a single link outside the list. `leave` is called if the link is deleted. */
export function useOneLink(leave: () => void) {
  const { t } = useI18n();
  const confirm = useConfirm();
  const offerUndo = useUndoToast();
  const showDone = useDoneToast();
  const showFailure = useFailureToast();

  async function run(link: Link, { action, value }: BulkWish): Promise<void> {
    if (action === 'purge') {
      const isSure = await confirm({
        title: t('links.bulk.ask.purge.title', { n: '1' }, 1),
        description: t('links.bulk.ask.purge.description'),
        action: t('links.bulk.ask.purge.action', { n: '1' }, 1),
      });
      if (!isSure) return;
    }
    try {
      const body = { ids: [link.id], action, ...(value !== undefined && { value }) };
      const { data } = await call(bulkLinks, { body });
      const refused = data.rows.find((row) => row.outcome === 'refused');
      if (refused) return showDone(t('links.bulk.lockedStay', { n: '1' }, 1));
      tellLinkChange({ kind: 'updated', id: link.id });
      if (action === 'delete' || action === 'purge') leave();
      const message = t(`links.bulk.done.${action}`, { n: '1' }, 1);
      const undoId = data.undo;
      if (undoId === null) return showDone(message);
      offerUndo(message, async () => {
        await call(undo, { params: { id: undoId } });
        tellLinkChange({ kind: 'updated', id: link.id });
      });
    } catch (error) {
      showFailure(error);
    }
  }

  return { run };
}
