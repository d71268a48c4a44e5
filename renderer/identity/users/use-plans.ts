import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { listPlans } from '../../../server/contract/plans.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey } from '../../api/instance.ts';

/** All plans of the instance, for administrators; undefined while loading. */
export function usePlans() {
  const query = useQuery({
    key: () => instanceQueryKey(['plans']),
    query: ({ signal }) => call(listPlans, { signal }),
  });
  const plans = computed(() => query.data.value?.data);
  return {
    query,
    plans,
    /** Items for a select. */
    choices: computed(() => (plans.value ?? []).map(({ id, name }) => ({ value: id, label: name }))),
    nameOf: (id: number | undefined): string => plans.value?.find((plan) => plan.id === id)?.name ?? '',
  };
}
