import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { type Channel, listChannels } from '../../../server/contract/channels.ts';
import type { ReplyOf } from '../../../server/contract/endpoint.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey } from '../../api/instance.ts';
import { pageSize } from '../../api/page-size.ts';

/** All channels of the account, in alphabetical order, and by id. */
export function useChannels() {
  const query = useQuery({
    key: () => instanceQueryKey(['channels', 'all']),
    query: ({ signal }) => allChannels(signal),
    staleTime: 60_000,
  });
  const channels = computed<readonly Channel[]>(() => query.data.value ?? []);
  const byId = computed(() => new Map(channels.value.map((channel) => [channel.id, channel])));
  return { channels, byId };
}

async function allChannels(signal: AbortSignal): Promise<Channel[]> {
  const channels: Channel[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const { data }: ReplyOf<typeof listChannels> = await call(listChannels, {
      query: { page, limit: pageSize },
      signal,
    });
    channels.push(...data.channels);
    page = data.nextpage;
  }
  return channels;
}
