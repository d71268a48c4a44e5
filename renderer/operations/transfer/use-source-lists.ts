import { useQuery } from '@pinia/colada';
import { computed, type Ref } from 'vue';
import { describeServer, isBaseContract } from '../../api/capabilities.ts';
import { callAt } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { readCampaigns, readChannels } from './reading.ts';

/** What the chosen source is, and its campaigns and channels, to choose links by. */
export function useSourceLists(sourceId: Readonly<Ref<string | undefined>>) {
  const store = useInstanceStore();
  const query = useQuery({
    key: () => ['transfer-source', sourceId.value ?? ''],
    query: async ({ signal }) => {
      const id = sourceId.value ?? '';
      const at = callAt({ instanceId: id });
      const meta = await describeServer(at, store.list.find((one) => one.id === id)?.origin ?? '');
      // A plain server has no links to choose, and few requests a minute.
      if (isBaseContract(meta)) return { isBaseContract: true, campaigns: [], channels: [] };
      return {
        isBaseContract: false,
        campaigns: await readCampaigns(at, signal),
        channels: await readChannels(at, signal),
      };
    },
    enabled: () => sourceId.value !== undefined,
  });
  return {
    lists: computed(() => query.data.value),
    isLoading: computed(() => sourceId.value !== undefined && query.isLoading.value),
    failure: computed(() => (sourceId.value === undefined ? undefined : (query.error.value ?? undefined))),
  };
}
