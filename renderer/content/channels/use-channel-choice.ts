import type { DropdownMenuItem } from '@nuxt/ui';
import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { useInstanceStore } from '../../api/instance.ts';
import { indentOf } from '../../ui/name-tree.ts';
import type { RecordMenuItem } from '../../ui/record-menu.ts';
import { useChannels } from '../links/use-channels.ts';
import { type ItemRef, useChannelActions } from './use-channel-actions.ts';

/** Number of channels from which their menu has a search field. */
const searchedFrom = 9;

/** Menu items for adding records to channels, for lists of links, bio pages and QR codes. */
export function useChannelChoice() {
  const { t } = useI18n();
  const store = useInstanceStore();
  const { channels } = useChannels();
  const { assign } = useChannelActions();
  const isOffered = computed(() => store.can('channels'));
  const isSearched = computed(() => channels.value.length >= searchedFrom);

  /** One menu item per channel. `done` is called after the records were added. */
  function entriesFor(items: () => readonly ItemRef[], done?: () => void): DropdownMenuItem[] {
    return channels.value.map((channel) => ({
      label: channel.name,
      class: indentOf(channel),
      onSelect: () => void assign(channel, items()).then(done),
    }));
  }

  /** A row menu item with the channels as submenu; empty if the instance does not support channels. */
  function rowEntry(item: ItemRef): RecordMenuItem[] {
    if (!isOffered.value) return [];
    const children =
      channels.value.length > 0
        ? entriesFor(() => [item])
        : [{ label: t('channels.choice.none'), icon: 'i-lucide-plus', to: { name: 'channels' } }];
    return [
      {
        label: t('channels.choice.add'),
        icon: 'i-lucide-tag',
        action: 'edit',
        filter: isSearched.value,
        children,
      },
    ];
  }

  return { isOffered, isSearched, entriesFor, rowEntry, assign };
}
