import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { listTeams } from '../../../server/contract/teams.ts';
import { allRecords } from '../../api/all-records.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';

/** The teams that the user has deleted and can still restore. */
export function useDeletedTeams() {
  const store = useInstanceStore();
  const query = useQuery({
    key: () => instanceQueryKey(['teams', 'deleted']),
    query: ({ signal }) =>
      allRecords(async (page) => {
        const { data } = await call(listTeams, { query: { ...page, deleted: '1' }, signal });
        return { items: data.teams, nextpage: data.nextpage };
      }, signal),
    enabled: () => store.can('teams'),
    staleTime: 0,
  });
  return { deleted: computed(() => query.data.value ?? []) };
}
