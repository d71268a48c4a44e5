import type { DropdownMenuItem } from '@nuxt/ui';
import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { useInstanceStore } from '../../api/instance.ts';
import { indentOf } from '../../ui/name-tree.ts';
import type { RecordMenuItem } from '../../ui/record-menu.ts';
import { useChannels } from '../links/use-channels.ts';
import { type ItemRef, useChannelActions } from './use-channel-actions.ts';

/** Channels from which on a menu of them can be searched. */
const searchedFrom = 9;

/** The channels as entries of menus in lists of other things: choosing one puts things into it. */
export function useChannelChoice() {
  const { t } = useI18n();
  const store = useInstanceStore();
  const { channels } = useChannels();
  const { assign } = useChannelActions();
  const isOffered = computed(() => store.can('channels'));
  const isSearched = computed(() => channels.value.length >= searchedFrom);

  /** One entry for each channel. `done` runs once the things are in it. */
  function entriesFor(items: () => readonly ItemRef[], done?: () => void): DropdownMenuItem[] {
    return channels.value.map((channel) => ({
      label: channel.name,
      class: indentOf(channel),
      onSelect: () => void assign(channel, items()).then(done),
    }));
  }

  /** The entry of a row's menu, with the channels below it; none where the instance has no channels. */
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
