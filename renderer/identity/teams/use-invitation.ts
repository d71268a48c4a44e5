import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { previewInvitation } from '../../../server/contract/teams.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';

/**
 * What the code of an invitation is for; asked anew when somebody else is signed in, who may be in that team already.
 */
export function useInvitation(code: () => string) {
  const store = useInstanceStore();
  const query = useQuery({
    key: () => instanceQueryKey(['invitation', code(), store.account?.member?.id ?? store.account?.id ?? 0]),
    query: ({ signal }) => call(previewInvitation, { body: { code: code() }, signal }),
    enabled: () => code() !== '' && store.can('teams'),
    staleTime: 0,
  });
  return {
    invitation: computed(() => query.data.value?.data),
    refusal: computed(() => query.error.value ?? undefined),
    refetch: query.refetch,
  };
}
