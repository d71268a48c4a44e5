import { defineStore } from 'pinia';
import { reactive } from 'vue';
import type { InstanceMeta } from '../../../server/contract/instance.ts';
import { describeServer } from '../../api/capabilities.ts';
import { callAt } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useInstanceStore } from '../../api/instance.ts';

export type InstanceHealth =
  | { readonly state: 'looking' }
  /** `latency` is the round-trip time in milliseconds. */
  | { readonly state: 'there'; readonly latency: number; readonly meta: InstanceMeta }
  /** `message` is for display; `code` is `untrusted` or `certificate_changed` for certificate problems. */
  | { readonly state: 'away'; readonly message: string; readonly code: string };

/** Whether an instance is unreachable because of its certificate, which the user can verify and accept. */
export function isUnproved(health: InstanceHealth | undefined): boolean {
  return health?.state === 'away' && ['untrusted', 'certificate_changed'].includes(health.code);
}

/** Status of each instance at the last check. */
export const useInstanceHealth = defineStore('instance-health', () => {
  const store = useInstanceStore();
  const known = reactive(new Map<string, InstanceHealth>());

  /** Checks the status of one instance. The previous status is kept until the response. */
  async function look(id: string): Promise<InstanceHealth> {
    const instance = store.list.find((one) => one.id === id);
    if (!known.has(id)) known.set(id, { state: 'looking' });
    const before = performance.now();
    let found: InstanceHealth;
    try {
      const meta = await describeServer(callAt({ instanceId: id }), instance?.origin ?? '');
      found = { state: 'there', latency: performance.now() - before, meta };
    } catch (error) {
      const isTold = error instanceof ApiFailure;
      found = {
        state: 'away',
        message: isTold ? error.message : String(error),
        code: isTold ? error.code : 'unknown',
      };
    }
    known.set(id, found);
    return found;
  }

  /** Checks all instances in parallel. */
  async function lookAtAll(): Promise<void> {
    await Promise.all(store.list.map(({ id }) => look(id)));
  }

  return { known, look, lookAtAll };
});
