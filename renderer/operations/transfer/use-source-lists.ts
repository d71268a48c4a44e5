import { useQuery } from '@pinia/colada';
import { computed, type Ref } from 'vue';
import { listTeams } from '../../../server/contract/teams.ts';
import { allRecords } from '../../api/all-records.ts';
import { describeServer, isBaseContract } from '../../api/capabilities.ts';
import { callAt } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { readCampaigns, readChannels } from './reading.ts';

/** Type of the selected source, and the campaigns and channels of the selected account there, for filtering links. */
export function useSourceLists(
  sourceId: Readonly<Ref<string | undefined>>,
  team: Readonly<Ref<number | undefined>>,
) {
  const store = useInstanceStore();
  const query = useQuery({
    key: () => ['transfer-source', sourceId.value ?? '', team.value ?? 0],
    query: async ({ signal }) => {
      const id = sourceId.value ?? '';
      const at = callAt({ instanceId: id, account: team.value });
      const meta = await describeServer(at, store.list.find((one) => one.id === id)?.origin ?? '');
      // A base contract server does not support filtering links, and has a low rate limit.
      if (isBaseContract(meta)) return { isBaseContract: true, campaigns: [], channels: [] };
      return {
        isBaseContract: false,
        campaigns: await readCampaigns(at, signal),
        channels: await readChannels(at, signal),
      };
    },
    enabled: () => sourceId.value !== undefined,
  });
  const teams = useQuery({
    key: () => ['transfer-teams', sourceId.value ?? ''],
    query: async ({ signal }) => {
      const id = sourceId.value ?? '';
      const at = callAt({ instanceId: id });
      const meta = await describeServer(at, store.list.find((one) => one.id === id)?.origin ?? '');
      if (!meta.features.includes('teams')) return [];
      return allRecords(async (page) => {
        const { data } = await at(listTeams, { query: page, signal });
        return { items: data.teams, nextpage: data.nextpage };
      }, signal);
    },
    enabled: () => sourceId.value !== undefined,
  });
  return {
    /** The user's teams there; empty if there are none, or they cannot be loaded. */
    teams: computed(() => teams.data.value ?? []),
    lists: computed(() => query.data.value),
    isLoading: computed(() => sourceId.value !== undefined && query.isLoading.value),
    failure: computed(() => (sourceId.value === undefined ? undefined : (query.error.value ?? undefined))),
  };
}
