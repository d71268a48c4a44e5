import { useQueryCache } from '@pinia/colada';
import { useI18n } from 'vue-i18n';
import {
  assignCampaign,
  type Campaign,
  deleteCampaign,
  orderCampaign,
  restoreCampaign,
  unassignCampaign,
} from '../../server/contract/campaigns.ts';
import { bulkLinks, undo } from '../../server/contract/links.ts';
import { call } from '../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../api/instance.ts';
import { useConfirm } from '../ui/use-confirm.ts';
import { useFormat } from '../ui/use-format.ts';
import { useDoneToast, useFailureToast, useUndoToast } from '../ui/use-toasts.ts';

/** What a campaign's link was in it, so that taking it out can be taken back. */
export interface Membership {
  readonly id: number;
  readonly name: string;
  readonly weight?: number | undefined;
}

/** Deletes campaigns and puts links in and out, each with a way back where the server has one. */
export function useCampaignActions() {
  const { t } = useI18n();
  const store = useInstanceStore();
  const queries = useQueryCache();
  const format = useFormat();
  const confirm = useConfirm();
  const offerUndo = useUndoToast();
  const showDone = useDoneToast();
  const showFailure = useFailureToast();

  /** Resolves when everything is here again. What could not be fetched is told by the page that shows it. */
  async function reload(): Promise<void> {
    await Promise.allSettled(
      ['campaigns', 'links'].map((resource) =>
        queries.invalidateQueries({ key: instanceQueryKey([resource]) }),
      ),
    );
  }

  /** Resolves to whether it is gone. Asks first where nothing brings it back. */
  async function remove({ id, name }: Pick<Campaign, 'id' | 'name'>): Promise<boolean> {
    const canRestore = store.can('restore');
    if (!canRestore) {
      const isSure = await confirm({
        title: t('campaigns.confirm.title', { name }),
        description: t('campaigns.confirm.description'),
        action: t('campaigns.confirm.action'),
      });
      if (!isSure) return false;
    }
    try {
      await call(deleteCampaign, { params: { id } });
    } catch (error) {
      showFailure(error);
      return false;
    }
    void reload();
    if (!canRestore) showDone(t('campaigns.deleted', { name }));
    else {
      offerUndo(t('campaigns.deleted', { name }), async () => {
        await call(restoreCampaign, { params: { id } });
        await reload();
      });
    }
    return true;
  }

  /** Puts links into a campaign, out of the ones that they are in. */
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

  /** Takes a link out. `order` is the campaign's order before, for the way back. */
  async function takeOut(
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

  return { remove, add, takeOut, reload };
}
