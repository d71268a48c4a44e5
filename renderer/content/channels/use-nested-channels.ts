import { computed } from 'vue';
import type { Channel } from '../../../server/contract/channels.ts';
import { isBelow } from '../../ui/name-tree.ts';
import { useChannels } from '../links/use-channels.ts';

/** The ancestors of a channel, nearest last, and its direct children. */
export function useNestedChannels(channel: () => Channel | undefined) {
  const { channels } = useChannels();
  const place = computed(() => channels.value.find(({ id }) => id === channel()?.id));
  return {
    above: computed(() => {
      const here = place.value;
      return here ? channels.value.filter((each) => isBelow(here, each)) : [];
    }),
    below: computed(() => {
      const here = place.value;
      return here
        ? channels.value.filter((each) => each.depth === here.depth + 1 && isBelow(each, here))
        : [];
    }),
  };
}
