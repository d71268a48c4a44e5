import { useI18n } from 'vue-i18n';
import {
  assignCampaign,
  type Campaign,
  deleteCampaign,
  orderCampaign,
  restoreCampaign,
  unassignCampaign,
} from '../../../server/contract/campaigns.ts';
import { bulkLinks, undo } from '../../../server/contract/links.ts';
import { call } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { useReload } from '../../api/use-reload.ts';
import { useFormat } from '../../ui/use-format.ts';
import { useRemoveWithUndo } from '../../ui/use-remove-with-undo.ts';
import { useDoneToast, useFailureToast, useUndoToast } from '../../ui/use-toasts.ts';

/** A link's state in its campaign, for undoing its removal. */
export interface Membership {
  readonly id: number;
  readonly name: string;
  readonly weight?: number | undefined;
}

/** Deletes campaigns, and adds and removes their links, with undo where the server supports it. */
export function useCampaignActions() {
  const { t } = useI18n();
  const store = useInstanceStore();
  const reloadOf = useReload();
  const format = useFormat();
  const offerUndo = useUndoToast();
  const showDone = useDoneToast();
  const showFailure = useFailureToast();

  const reload = () => reloadOf('campaigns', 'links');
  const remove = useRemoveWithUndo({
    labels: 'campaigns',
    remove: (id) => call(deleteCampaign, { params: { id } }),
    restore: (id) => call(restoreCampaign, { params: { id } }),
    reload,
  });

  /** Adds links to a campaign, removing them from their current ones. */
  async function add(campaign: Pick<Campaign, 'id' | 'name'>, linkIds: readonly number[]): Promise<void> {
    const count = linkIds.length;
    const message = t('campaigns.added', { n: format.number(count), name: campaign.name }, count);
    try {
      if (!store.can('bulk')) {
        for (const linkid of linkIds)
          await call(assignCampaign, { params: { campaignid: campaign.id, linkid } });
        showDone(message);
      } else {
        const body = { ids: [...linkIds], action: 'campaign' as const, value: campaign.id };
        const { data } = await call(bulkLinks, { body });
        const locked = data.rows.filter((row) => row.code === 'locked').length;
        const done = data.rows.filter((row) => row.outcome === 'done').length;
        const sentences = [t('campaigns.added', { n: format.number(done), name: campaign.name }, done)];
        if (locked > 0) sentences.push(t('links.bulk.lockedStay', { n: format.number(locked) }, locked));
        const undoId = data.undo;
        if (undoId === null) showDone(sentences.join(' '));
        else {
          offerUndo(sentences.join(' '), async () => {
            await call(undo, { params: { id: undoId } });
            await reload();
          });
        }
      }
    } catch (error) {
      showFailure(error);
    } finally {
      await reload();
    }
  }

  /** Removes a link from a campaign. `order` is the link order before the removal, for undo. */
  async function removeLink(
    campaign: Pick<Campaign, 'id' | 'name'>,
    link: Membership,
    order: readonly number[],
  ): Promise<void> {
    const params = { campaignid: campaign.id, linkid: link.id };
    try {
      await call(unassignCampaign, { params });
    } catch (error) {
      return showFailure(error);
    } finally {
      void reload();
    }
    offerUndo(t('campaigns.takenOut', { link: link.name, name: campaign.name }), async () => {
      const { weight } = link;
      await call(assignCampaign, { params, body: weight === undefined ? {} : { weight } });
      if (store.can('campaign-order')) {
        await call(orderCampaign, { params: { id: campaign.id }, body: { links: [...order] } });
      }
      await reload();
    });
  }

  return { remove, add, removeLink, reload };
}
