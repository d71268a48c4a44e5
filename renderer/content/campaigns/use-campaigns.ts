import { listCampaigns } from '../../../server/contract/campaigns.ts';
import { call } from '../../api/client.ts';
import { useAllRecords } from '../../api/use-all-records.ts';

/** All campaigns of the account, alphabetically and by id; empty if the server does not support campaigns. */
export function useCampaigns() {
  const { records: campaigns, byId } = useAllRecords({
    resource: 'campaigns',
    feature: 'campaigns',
    load: async (query, signal) => {
      const { data } = await call(listCampaigns, { query, signal });
      return { items: data.campaigns, nextpage: data.nextpage };
    },
  });
  return { campaigns, byId };
}
