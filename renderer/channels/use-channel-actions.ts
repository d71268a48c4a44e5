import { useQueryCache } from '@pinia/colada';
import { useI18n } from 'vue-i18n';
import {
  assignChannel,
  type Channel,
  type ChannelItemType,
  deleteChannel,
  restoreChannel,
  unassignChannel,
  updateChannel,
} from '../../server/contract/channels.ts';
import { call } from '../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../api/instance.ts';
import { useConfirm } from '../ui/use-confirm.ts';
import { useFormat } from '../ui/use-format.ts';
import { useDoneToast, useFailureToast, useUndoToast } from '../ui/use-toasts.ts';

/** A thing that a channel may hold. */
export interface ItemRef {
  readonly type: ChannelItemType;
  readonly id: number;
}

/** Deletes and stars channels, and puts things in and out, each with a way back where the server has one. */
export function useChannelActions() {
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
      ['channels', 'links'].map((resource) =>
        queries.invalidateQueries({ key: instanceQueryKey([resource]) }),
      ),
    );
  }

  /** Resolves to whether it is gone. Asks first where nothing brings it back. */
  async function remove({ id, name }: Pick<Channel, 'id' | 'name'>): Promise<boolean> {
    const canRestore = store.can('restore');
    if (!canRestore) {
      const isSure = await confirm({
        title: t('channels.confirm.title', { name }),
        description: t('channels.confirm.description'),
        action: t('channels.confirm.action'),
      });
      if (!isSure) return false;
    }
    try {
      await call(deleteChannel, { params: { id } });
    } catch (error) {
      showFailure(error);
      return false;
    }
    void reload();
    if (!canRestore) showDone(t('channels.deleted', { name }));
    else {
      offerUndo(t('channels.deleted', { name }), async () => {
        await call(restoreChannel, { params: { id } });
        await reload();
      });
    }
    return true;
  }

  async function star(channel: Channel): Promise<void> {
    try {
      await call(updateChannel, { params: { id: channel.id }, body: { starred: !channel.starred } });
    } catch (error) {
      showFailure(error);
    } finally {
      await reload();
    }
  }

  async function each(
    endpoint: typeof assignChannel,
    channelid: number,
    items: readonly ItemRef[],
  ): Promise<void> {
    for (const { type, id } of items) await call(endpoint, { params: { channelid, type, itemid: id } });
  }

  /** Puts things into a channel, from any list of them. */
  async function assign(channel: Pick<Channel, 'id' | 'name'>, items: readonly ItemRef[]): Promise<void> {
    const n = items.length;
    try {
      await each(assignChannel, channel.id, items);
    } catch (error) {
      return showFailure(error);
    } finally {
      void reload();
    }
    offerUndo(t('channels.assigned', { n: format.number(n), name: channel.name }, n), async () => {
      await each(unassignChannel, channel.id, items);
      await reload();
    });
  }

  /** Takes things out of a channel. */
  async function takeOut(channel: Pick<Channel, 'id' | 'name'>, items: readonly ItemRef[]): Promise<void> {
    const n = items.length;
    try {
      await each(unassignChannel, channel.id, items);
    } catch (error) {
      return showFailure(error);
    } finally {
      void reload();
    }
    offerUndo(t('channels.takenOut', { n: format.number(n), name: channel.name }, n), async () => {
      await each(assignChannel, channel.id, items);
      await reload();
    });
  }

  return { remove, star, assign, takeOut, reload };
}
