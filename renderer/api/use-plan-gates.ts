import { computed } from 'vue';
import { useInstanceStore } from './instance.ts';

/** Parts of a link or file that a plan may not include: fields by permission, targeting by feature. */
export type PlanGate = 'alias' | 'password' | 'utmtemplates' | 'geo' | 'device';

/**
 * Whether the account's plan includes a field. Assumed if the server has no plan information, since it validates
 * requests itself.
 */
export function usePlanGates() {
  const store = useInstanceStore();
  const closed = computed(() => {
    const { permissions, features } = store.account ?? {};
    const gates: Record<PlanGate, boolean | undefined> = {
      alias: permissions?.alias,
      password: permissions?.password,
      utmtemplates: permissions?.utmtemplates,
      geo: features?.geo?.enabled,
      device: features?.device?.enabled,
    };
    return new Set(Object.entries(gates).flatMap(([name, open]) => (open === false ? [name] : [])));
  });
  return { includes: (gate: PlanGate): boolean => !closed.value.has(gate) };
}
