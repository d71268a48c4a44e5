import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import type { Channel } from '../../../server/contract/channels.ts';
import { useRole } from '../../api/use-role.ts';
import type { RecordMenuItem } from '../../ui/record-menu.ts';

/** What a channel's menu asks its page to do. */
export type ChannelWish = 'add' | 'edit' | 'star' | 'remove';

/** Returns `menuOf(channel)`: the actions of a channel, the same on its card and in its row. */
export function useChannelMenu(
  wish: (channel: Channel, wish: ChannelWish) => void,
): (channel: Channel) => RecordMenuItem[][] {
  const { t } = useI18n();
  const router = useRouter();
  const { may } = useRole();
  return (channel) => {
    const item = (name: ChannelWish, label: string, icon: string) => ({
      label,
      icon,
      onSelect: () => wish(channel, name),
    });
    const toPage = () => void router.push({ name: 'channel', params: { id: channel.id } });
    return [
      [
        { label: t('channels.actions.open'), icon: 'i-lucide-arrow-right', onSelect: toPage },
        // Adding edits the items, not the channel, so any channel will do.
        ...(may('edit') ? [item('add', t('channels.actions.add'), 'i-lucide-plus')] : []),
        { ...item('edit', t('channels.actions.edit'), 'i-lucide-pencil'), action: 'edit' },
        {
          ...item(
            'star',
            t(channel.starred ? 'channels.actions.unstar' : 'channels.actions.star'),
            'i-lucide-star',
          ),
          action: 'edit',
        },
      ],
      [{ ...item('remove', t('channels.actions.delete'), 'i-lucide-trash-2'), color: 'error' }],
    ];
  };
}
