import { computed } from 'vue';
import { listChannels } from '../../../server/contract/channels.ts';
import { call } from '../../api/client.ts';
import { useAllRecords } from '../../api/use-all-records.ts';
import { inTree } from '../../ui/name-tree.ts';
import { useFormat } from '../../ui/use-format.ts';

/** All channels of the account, in tree order and by id. */
export function useChannels() {
  const format = useFormat();
  const { records, byId } = useAllRecords({
    resource: 'channels',
    load: async (query, signal) => {
      const { data } = await call(listChannels, { query, signal });
      return { items: data.channels, nextpage: data.nextpage };
    },
  });
  return { channels: computed(() => inTree(records.value, format.region.value)), byId };
}
