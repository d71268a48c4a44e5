import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { type Campaign, listCampaigns } from '../../../server/contract/campaigns.ts';
import type { ReplyOf } from '../../../server/contract/endpoint.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { pageSize } from '../../api/page-size.ts';

/** All campaigns of the account, in alphabetical order, and by id; none where the server has no campaigns. */
export function useCampaigns() {
  const store = useInstanceStore();
  const query = useQuery({
    key: () => instanceQueryKey(['campaigns', 'all']),
    query: ({ signal }) => allCampaigns(signal),
    enabled: () => store.can('campaigns'),
    staleTime: 60_000,
  });
  const campaigns = computed<readonly Campaign[]>(() => query.data.value ?? []);
  const byId = computed(() => new Map(campaigns.value.map((campaign) => [campaign.id, campaign])));
  return { campaigns, byId };
}

async function allCampaigns(signal: AbortSignal): Promise<Campaign[]> {
  const campaigns: Campaign[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const { data }: ReplyOf<typeof listCampaigns> = await call(listCampaigns, {
      query: { page, limit: pageSize },
      signal,
    });
    campaigns.push(...data.campaigns);
    page = data.nextpage;
  }
  return campaigns;
}
