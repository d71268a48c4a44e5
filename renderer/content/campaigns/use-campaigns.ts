import { listCampaigns } from '../../../server/contract/campaigns.ts';
import { call } from '../../api/client.ts';
import { useAllRecords } from '../../api/use-all-records.ts';

/** All campaigns of the account, in alphabetical order, and by id; none where the server has no campaigns. */
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
