import { listChannels } from '../../../server/contract/channels.ts';
import { call } from '../../api/client.ts';
import { useAllRecords } from '../../api/use-all-records.ts';

/** All channels of the account, in alphabetical order, and by id. */
export function useChannels() {
  const { records: channels, byId } = useAllRecords({
    resource: 'channels',
    load: async (query, signal) => {
      const { data } = await call(listChannels, { query, signal });
      return { items: data.channels, nextpage: data.nextpage };
    },
  });
  return { channels, byId };
}
