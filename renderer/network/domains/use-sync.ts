import { useQuery } from '@pinia/colada';
import { useIntervalFn } from '@vueuse/core';
import { computed, watch } from 'vue';
import { getDomainSync, runDomainSync } from '../../../server/contract/domains.ts';
import { call } from '../../api/client.ts';
import { ignoreRejection } from '../../api/ignore-rejection.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { useFailureToast } from '../../ui/use-toasts.ts';

/** Polling intervals in milliseconds: while the job is running, and while it is idle. */
const pace = { running: 1_000, waiting: 30_000 };

/** The job that checks all domains, for administrators; `state` is undefined for other users. */
export function useSync() {
  const store = useInstanceStore();
  const showFailure = useFailureToast();
  const query = useQuery({
    // Not under `domains`, since every change of a domain would reload it.
    key: () => instanceQueryKey(['domain-sync']),
    query: ({ signal }) => call(getDomainSync, { signal }),
    enabled: () => store.account?.admin === true && !store.isBaseContract,
    staleTime: 0,
  });
  const state = computed(() => query.data.value?.data);
  const isRunning = computed(() => state.value?.running === true);

  const { pause, resume } = useIntervalFn(
    () => void ignoreRejection(query.refetch()),
    () => (isRunning.value ? pace.running : pace.waiting),
  );
  watch(
    () => store.account?.admin === true && !store.isBaseContract,
    (isAdmin) => (isAdmin ? resume() : pause()),
    { immediate: true },
  );

  async function run(): Promise<void> {
    try {
      await call(runDomainSync);
      await query.refetch();
    } catch (error) {
      showFailure(error);
    }
  }

  return { state, isRunning, run };
}
