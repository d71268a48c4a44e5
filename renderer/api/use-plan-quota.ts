import { computed } from 'vue';
import { useInstanceStore } from './instance.ts';

/**
 * Whether the account's plan has room for one more thing of a feature. `count` is how many there are; undefined while
 * it is not known. Servers that say nothing of plans are believed to have room: they refuse by themselves.
 */
export function usePlanQuota(feature: string, count: () => number | undefined) {
  const store = useInstanceStore();
  const gate = computed(() => store.account?.features?.[feature]);
  const most = computed(() => gate.value?.count ?? -1);
  return {
    isIncluded: computed(() => gate.value?.enabled !== false),
    /** How many the plan allows; -1 is any number. */
    most,
    isExhausted: computed(() => most.value >= 0 && (count() ?? 0) >= most.value),
  };
}

export type PlanQuota = ReturnType<typeof usePlanQuota>;
