import type { DropdownMenuItem } from '@nuxt/ui';
import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { useInstanceStore } from '../../api/instance.ts';
import { indentOf } from '../../ui/name-tree.ts';
import type { RecordMenuItem } from '../../ui/record-menu.ts';
import { mostInMenu, useChoice } from '../../ui/use-choice.ts';
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
  const choose = useChoice();
  const isOffered = computed(() => store.can('channels'));
  const isLong = computed(() => channels.value.length > mostInMenu);
  const isSearched = computed(() => channels.value.length >= searchedFrom && !isLong.value);

  /** Asks for a channel in a dialog. `done` is called after the records were added. */
  async function pick(items: readonly ItemRef[], done?: () => void): Promise<void> {
    const id = await choose({
      title: t('channels.choice.add'),
      placeholder: t('channels.choice.search'),
      choices: channels.value.map((channel) => ({
        label: channel.name,
        value: channel.id,
        class: indentOf(channel),
      })),
    });
    const channel = channels.value.find((each) => each.id === id);
    if (channel) await assign(channel, items).then(done);
  }

  /** One menu item per channel, or one that asks for a channel if there are too many for a menu. */
  function entriesFor(items: () => readonly ItemRef[], done?: () => void): DropdownMenuItem[] {
    if (isLong.value) {
      return [
        {
          label: t('channels.choice.search'),
          icon: 'i-lucide-search',
          onSelect: () => void pick(items(), done),
        },
      ];
    }
    return channels.value.map((channel) => ({
      label: channel.name,
      class: indentOf(channel),
      onSelect: () => void assign(channel, items()).then(done),
    }));
  }

  /** A row menu item with the channels as submenu; empty if the instance does not support channels. */
  function rowEntry(item: ItemRef): RecordMenuItem[] {
    if (!isOffered.value) return [];
    const entry = { label: t('channels.choice.add'), icon: 'i-lucide-tag', action: 'edit' } as const;
    if (isLong.value) return [{ ...entry, onSelect: () => void pick([item]) }];
    const children =
      channels.value.length > 0
        ? entriesFor(() => [item])
        : [{ label: t('channels.choice.none'), icon: 'i-lucide-plus', to: { name: 'channels' } }];
    return [{ ...entry, filter: isSearched.value, children }];
  }

  return { isOffered, isSearched, entriesFor, rowEntry, assign };
}
