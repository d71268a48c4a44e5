import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { previewInvitation } from '../../../server/contract/teams.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';

/** Details of an invitation; reloaded when another user signs in, who may already be a member. */
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
