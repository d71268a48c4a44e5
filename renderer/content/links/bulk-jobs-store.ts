import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { type BulkJob, cancelBulkJob, listBulkJobs } from '../../../server/contract/bulk-jobs.ts';
import { call } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useInstanceStore } from '../../api/instance.ts';

/**
 * Polling intervals in milliseconds: the first, the growth factor, the maximum (an API key may be limited to 30
 * requests per minute), and after a failed request.
 */
const pause = { first: 1_000, growth: 1.2, longest: 6_000, failed: 4_000 };

/**
 * Bulk actions of the account running on the server. A store, so that they are polled across pages; the server
 * continues them in any case.
 */
export const useBulkJobsStore = defineStore('bulk-jobs', () => {
  const instance = useInstanceStore();
  const all = shallowRef<readonly BulkJob[]>([]);
  /** Jobs whose cancellation was requested here. */
  const cancelled = shallowRef<ReadonlySet<number>>(new Set());
  /** Jobs whose completion will be reported. */
  const followed = new Set<number>();
  /** Jobs whose completion has been reported. */
  const told = new Set<number>();
  let tell: (job: BulkJob) => void = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looks = 0;

  /** Polls as long as jobs are running. If requests overlap, the last one counts. */
  async function lookAgain(wait: number): Promise<void> {
    clearTimeout(timer);
    looks += 1;
    const look = looks;
    const { scope } = instance;
    let next = Math.min(pause.longest, wait * pause.growth);
    try {
      const { data } = await call(listBulkJobs);
      if (look !== looks || instance.scope !== scope) return;
      take(data.jobs);
    } catch (error) {
      if (look !== looks || instance.scope !== scope) return;
      // No message for a failed progress bar; the list below reports the problem.
      if (error instanceof ApiFailure && (error.status === 404 || error.status === 401)) reset();
      next = pause.failed;
    }
    if (followed.size > 0) timer = setTimeout(() => void lookAgain(next), wait);
  }

  function take(jobs: readonly BulkJob[]): void {
    const ended = jobs.filter(({ id, finished }) => finished !== null && followed.has(id));
    all.value = jobs.filter(({ finished }) => finished === null).reverse();
    cancelled.value = new Set([...cancelled.value].filter((id) => all.value.some((job) => job.id === id)));
    followed.clear();
    for (const { id } of all.value) followed.add(id);
    for (const job of ended) if (claim(job.id)) tell(job);
  }

  /** Whether the completion of a job is yet to be reported; the caller then reports it. */
  function claim(id: number): boolean {
    if (told.has(id)) return false;
    told.add(id);
    return true;
  }

  function reset(): void {
    clearTimeout(timer);
    looks += 1;
    all.value = [];
    cancelled.value = new Set();
    followed.clear();
    told.clear();
  }

  watch(() => instance.scope, reset);

  /** Starts polling; `begun` is the id of a new job to follow, even if it has already finished. */
  async function look(begun?: number | null): Promise<void> {
    if (!instance.can('bulk-jobs')) return;
    if (begun) followed.add(begun);
    await lookAgain(pause.first);
  }

  return {
    jobs: computed(() =>
      all.value.map((job) => (cancelled.value.has(job.id) ? { ...job, state: 'cancelling' as const } : job)),
    ),
    look,
    claim,
    /** Registers the handler called for each completed job. */
    onOver(handler: (job: BulkJob) => void): void {
      tell = handler;
    },
    /** Cancels a job. Throws ApiFailure, but not if the job has already finished. */
    async cancel(id: number): Promise<void> {
      cancelled.value = new Set([...cancelled.value, id]);
      try {
        await call(cancelBulkJob, { params: { id } });
      } catch (error) {
        cancelled.value = new Set([...cancelled.value].filter((known) => known !== id));
        if (!(error instanceof ApiFailure && error.code === 'already_over')) throw error;
      }
      void look();
    },
  };
});
