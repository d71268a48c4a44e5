import { useQuery } from '@pinia/colada';
import { computed, ref, watch } from 'vue';
import { type Campaign, type CampaignLink, getCampaign } from '../../../server/contract/campaigns.ts';
import { call } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { instanceQueryKey } from '../../api/instance.ts';
import { pageSize } from '../../api/page-size.ts';

/** Number of links loaded initially, and with each "Show more". */
const step = pageSize;

interface Loaded {
  campaign: Campaign;
  /** In the owner's order; servers with only the base contract use their own. */
  links: CampaignLink[];
  /** Total number of links. */
  total: number;
}

/** A campaign with its links, loaded page by page on request. */
export function useCampaign(id: () => number) {
  const pages = ref(1);
  watch(id, () => {
    pages.value = 1;
  });

  const query = useQuery({
    key: () => instanceQueryKey(['campaigns', id(), { pages: pages.value }]),
    query: ({ signal }) => load(id(), pages.value, signal),
    placeholderData: (before: Loaded | undefined) => (before?.campaign.id === id() ? before : undefined),
  });

  return {
    campaign: computed(() => query.data.value?.campaign),
    links: computed(() => query.data.value?.links),
    total: computed(() => query.data.value?.total ?? 0),
    isLoading: query.isLoading,
    isMissing: computed(() => query.error.value instanceof ApiFailure && query.error.value.status === 404),
    failure: computed(() => (query.data.value ? undefined : query.error.value)),
    refetch: () => query.refetch(),
    showMore: () => {
      pages.value += 1;
    },
  };
}

async function load(id: number, pages: number, signal: AbortSignal): Promise<Loaded> {
  const links = new Map<number, CampaignLink>();
  let page = 1;
  for (;;) {
    const { data } = await call(getCampaign, {
      params: { id },
      query: { page, limit: step, order: 'own', figures: '1' },
      signal,
    });
    for (const link of data.links) links.set(link.id, link);
    if (page >= pages || data.nextpage === null) {
      return { campaign: data.campaign, links: [...links.values()], total: data.result };
    }
    page = data.nextpage;
  }
}
