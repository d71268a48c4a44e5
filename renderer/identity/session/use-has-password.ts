import { useQuery } from '@pinia/colada';
import { type ComputedRef, computed } from 'vue';
import { listIdentities } from '../../../server/contract/single-sign-on.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { pageSize } from '../../api/page-size.ts';

/** Whether the user has a password: users created by single sign-on have none until they set one. */
export function useHasPassword(): ComputedRef<boolean> {
  const store = useInstanceStore();
  const identities = useQuery({
    key: () => instanceQueryKey(['identities']),
    query: ({ signal }) => call(listIdentities, { query: { limit: pageSize }, signal }),
    enabled: () => store.can('sso'),
  });
  return computed(() => identities.data.value?.data.haspassword !== false);
}
