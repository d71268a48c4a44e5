import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { listTeams } from '../../../server/contract/teams.ts';
import { allRecords } from '../../api/all-records.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';

/** The user's teams, regardless of the active account; empty if the server does not support teams. */
export function useTeams() {
  const store = useInstanceStore();
  const query = useQuery({
    key: () => instanceQueryKey(['teams']),
    query: ({ signal }) =>
      allRecords(async (page) => {
        const { data } = await call(listTeams, { query: page, signal });
        return { items: data.teams, nextpage: data.nextpage };
      }, signal),
    enabled: () => store.can('teams'),
  });
  return {
    teams: computed(() => query.data.value ?? []),
    team: computed(() => query.data.value?.find(({ id }) => id === store.account?.id)),
    refetch: query.refetch,
  };
}
