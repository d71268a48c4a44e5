import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { listMembers } from '../../../server/contract/teams.ts';
import { allRecords } from '../../api/all-records.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { useRole } from '../../api/use-role.ts';

/** The members of the active team that the user may see; empty in a personal account. */
export function useMembers() {
  const store = useInstanceStore();
  const { isTeam } = useRole();
  const query = useQuery({
    key: () => instanceQueryKey(['teams', store.account?.id ?? 0, 'members']),
    query: ({ signal }) =>
      allRecords(async (page) => {
        const { data } = await call(listMembers, {
          params: { id: store.account?.id ?? 0 },
          query: page,
          signal,
        });
        return { items: data.members, nextpage: data.nextpage };
      }, signal),
    enabled: () => isTeam.value,
  });
  return {
    members: computed(() =>
      (query.data.value ?? []).map((member) => ({ ...member, name: member.name || member.username })),
    ),
    /** Undefined while loading. */
    known: query.data,
    failure: query.error,
    refetch: query.refetch,
  };
}
