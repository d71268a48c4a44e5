import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { type BulkJob, cancelBulkJob, listBulkJobs } from '../../../server/contract/bulk-jobs.ts';
import { call } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useInstanceStore } from '../../api/instance.ts';

/**
 * Between two looks at what is under way: the first, what each grows by, the longest, as a key may have 30 requests a
 * minute, and after a look that failed. Milliseconds.
 */
const pause = { first: 1_000, growth: 1.2, longest: 6_000, failed: 4_000 };

/**
 * Bulk actions of the account that are under way on the server. A store, so that they are followed while another page
 * is open; the server goes on in any case.
 */
export const useBulkJobsStore = defineStore('bulk-jobs', () => {
  const instance = useInstanceStore();
  const all = shallowRef<readonly BulkJob[]>([]);
  /** Those whose cancellation was asked for here. */
  const cancelled = shallowRef<ReadonlySet<number>>(new Set());
  /** Those whose end is to be told. */
  const followed = new Set<number>();
  /** Those whose end was told. */
  const told = new Set<number>();
  let tell: (job: BulkJob) => void = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looks = 0;

  /** Looks, and again and again while something is under way. Of looks that overlap the last one counts. */
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
      // A bar that does not show is no reason for a message; the list below says what is wrong.
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

  /** Whether the end of a job is still to be told; who asks tells it. */
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

  /** Looks for what is under way; `begun` is followed from now on, also when it is over by then. */
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
    /** Whoever is told of each job that is over. */
    onOver(handler: (job: BulkJob) => void): void {
      tell = handler;
    },
    /** Throws ApiFailure; one that is over by now is not a failure. */
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
