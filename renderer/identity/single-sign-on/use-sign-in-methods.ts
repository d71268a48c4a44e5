import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { signInMethods } from '../../../server/contract/single-sign-on.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';

/** The sign-in methods of the current instance; undefined while loading, and on servers with only one. */
export function useSignInMethods() {
  const store = useInstanceStore();
  const query = useQuery({
    key: () => instanceQueryKey(['sign-in-methods']),
    query: ({ signal }) => call(signInMethods, { signal }),
    enabled: () => store.can('sso'),
  });
  return computed(() => query.data.value?.data);
}
