import { useI18n } from 'vue-i18n';
import {
  assignChannel,
  type Channel,
  type ChannelItemType,
  deleteChannel,
  restoreChannel,
  unassignChannel,
  updateChannel,
} from '../../../server/contract/channels.ts';
import { call } from '../../api/client.ts';
import { useReload } from '../../api/use-reload.ts';
import { useFormat } from '../../ui/use-format.ts';
import { useRemoveWithUndo } from '../../ui/use-remove-with-undo.ts';
import { useFailureToast, useUndoToast } from '../../ui/use-toasts.ts';

/** Reference to an item of a channel. */
export interface ItemRef {
  readonly type: ChannelItemType;
  readonly id: number;
}

/** Deletes and stars channels, and adds and removes items, with undo where the server supports it. */
export function useChannelActions() {
  const { t } = useI18n();
  const reloadOf = useReload();
  const format = useFormat();
  const offerUndo = useUndoToast();
  const showFailure = useFailureToast();

  const reload = () => reloadOf('channels', 'links');
  const remove = useRemoveWithUndo({
    labels: 'channels',
    remove: (id) => call(deleteChannel, { params: { id } }),
    restore: (id) => call(restoreChannel, { params: { id } }),
    reload,
  });

  async function star(channel: Channel): Promise<void> {
    try {
      const { id, version, starred } = channel;
      await call(updateChannel, { params: { id }, body: { starred: !starred }, version });
    } catch (error) {
      showFailure(error);
    } finally {
      await reload();
    }
  }

  async function each(
    endpoint: typeof assignChannel | typeof unassignChannel,
    channelid: number,
    items: readonly ItemRef[],
  ): Promise<void> {
    for (const { type, id } of items) await call(endpoint, { params: { channelid, type, itemid: id } });
  }

  /** Adds items to a channel. */
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

  /** Removes links, bio pages and QR codes from a channel. */
  async function removeItems(
    channel: Pick<Channel, 'id' | 'name'>,
    items: readonly ItemRef[],
  ): Promise<void> {
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

  return { remove, star, assign, removeItems, reload };
}
