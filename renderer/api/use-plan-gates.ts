import { computed } from 'vue';
import { useInstanceStore } from './instance.ts';

/** What of a link or file a plan may leave out: fields by permission, targets by feature. */
export type PlanGate = 'alias' | 'password' | 'utmtemplates' | 'geo' | 'device';

/**
 * Whether the account's plan includes a field. A server that says nothing of plans is believed to include it: it
 * refuses by itself.
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
