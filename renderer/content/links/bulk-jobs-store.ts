import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { type BulkJob, cancelBulkJob, getBulkJob, listBulkJobs } from '../../../server/contract/bulk-jobs.ts';
import { call } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useInstanceStore } from '../../api/instance.ts';

/** Between two looks at what is under way, and after one that failed. Milliseconds. */
const pause = { usual: 1_000, failed: 4_000 };

/**
 * Bulk actions of the account that are under way on the server. A store, so that they are followed while another page is
 * open; the server goes on in any case.
 */
export const useBulkJobsStore = defineStore('bulk-jobs', () => {
  const instance = useInstanceStore();
  const all = shallowRef<readonly BulkJob[]>([]);
  /** Those whose cancellation was asked for here. */
  const cancelled = shallowRef<ReadonlySet<number>>(new Set());
  let tell: (job: BulkJob) => void = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** A reply that comes after the account was changed is about another one. */
  function isStill(scope: string): boolean {
    return instance.scope === scope;
  }

  function schedule(wait: number): void {
    clearTimeout(timer);
    timer = all.value.length > 0 ? setTimeout(() => void ask(), wait) : undefined;
  }

  async function ask(): Promise<void> {
    const { scope } = instance;
    let wait = pause.usual;
    for (const { id } of all.value) {
      try {
        const { data } = await call(getBulkJob, { params: { id } });
        if (!isStill(scope)) return;
        take(data);
      } catch (error) {
        if (!isStill(scope)) return;
        wait = pause.failed;
        const isLost = error instanceof ApiFailure && (error.status === 404 || error.status === 401);
        if (isLost) drop(id);
      }
    }
    schedule(wait);
  }

  function take(job: BulkJob): void {
    if (job.finished === null) {
      all.value = all.value.map((known) => (known.id === job.id ? job : known));
      return;
    }
    drop(job.id);
    tell(job);
  }

  function drop(id: number): void {
    all.value = all.value.filter((known) => known.id !== id);
    cancelled.value = new Set([...cancelled.value].filter((known) => known !== id));
  }

  /** Looks for what is under way, for instance what was begun before the page was loaded anew. */
  async function look(): Promise<void> {
    if (!instance.can('bulk-jobs')) return;
    const { scope } = instance;
    try {
      const { data } = await call(listBulkJobs);
      if (!isStill(scope)) return;
      all.value = data.jobs.filter(({ finished }) => finished === null).reverse();
      schedule(pause.usual);
    } catch {
      // A bar that does not show is no reason for a message; the list below says what is wrong.
    }
  }

  watch(
    () => instance.scope,
    () => {
      clearTimeout(timer);
      all.value = [];
      cancelled.value = new Set();
    },
  );

  return {
    jobs: computed(() =>
      all.value.map((job) => (cancelled.value.has(job.id) ? { ...job, state: 'cancelling' as const } : job)),
    ),
    look,
    /** Whoever is told of each job that is over. */
    onOver(handler: (job: BulkJob) => void): void {
      tell = handler;
    },
    /** Throws ApiFailure; one that is over by now is no failure. */
    async cancel(id: number): Promise<void> {
      cancelled.value = new Set([...cancelled.value, id]);
      try {
        await call(cancelBulkJob, { params: { id } });
      } catch (error) {
        cancelled.value = new Set([...cancelled.value].filter((known) => known !== id));
        if (!(error instanceof ApiFailure && error.code === 'already_over')) throw error;
      }
      void ask();
    },
  };
});
