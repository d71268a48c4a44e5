import { computed } from 'vue';
import { useInstanceStore } from './instance.ts';

/**
 * Whether the account's plan allows another record of a feature. `count` is the current number; undefined while
 * unknown. Assumed if the server has no plan information, since it validates requests itself.
 */
export function usePlanQuota(feature: string, count: () => number | undefined) {
  const store = useInstanceStore();
  const gate = computed(() => store.account?.features?.[feature]);
  const most = computed(() => gate.value?.count ?? -1);
  return {
    isIncluded: computed(() => gate.value?.enabled !== false),
    /** The plan's limit; -1 is unlimited. */
    most,
    isExhausted: computed(() => most.value >= 0 && (count() ?? 0) >= most.value),
  };
}

export type PlanQuota = ReturnType<typeof usePlanQuota>;
