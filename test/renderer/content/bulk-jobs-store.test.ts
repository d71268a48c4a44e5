import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Call, installClient } from '../../../renderer/api/client.ts';
import { ApiFailure } from '../../../renderer/api/failure.ts';
import { useInstanceStore } from '../../../renderer/api/instance.ts';
import { useBulkJobsStore } from '../../../renderer/content/links/bulk-jobs-store.ts';
import { type BulkJob, cancelBulkJob } from '../../../server/contract/bulk-jobs.ts';

/** What the server has, the newest first. */
let jobs: BulkJob[];
let looks: number;
let isAway: boolean;
let told: string[];

const server = (async (endpoint: unknown) => {
  if (endpoint === cancelBulkJob) return { message: 'Cancelled.' };
  looks += 1;
  if (isAway) throw new ApiFailure('unreachable', 'The server does not answer.');
  return { data: { jobs } };
}) as unknown as Call;

function job(id: number, state: BulkJob['state'] = 'running'): BulkJob {
  const isOver = ['done', 'cancelled', 'failed'].includes(state);
  return {
    ...{ id, state, action: 'archive', total: 5000, codes: {}, undo: null, problem: null },
    counts: { done: 0, unchanged: 0, refused: 0, not_found: 0 },
    date: '2027-01-01 10:00:00',
    finished: isOver ? '2027-01-01 10:01:00' : null,
  };
}

function opened() {
  const store = useBulkJobsStore();
  store.onOver(({ id, state }) => told.push(`${id} ${state}`));
  return store;
}

beforeEach(() => {
  vi.useFakeTimers();
  setActivePinia(createPinia());
  installClient(server);
  useInstanceStore().meta = { features: ['bulk-jobs'] } as never;
  [jobs, looks, isAway, told] = [[job(1)], 0, false, []];
});
afterEach(() => vi.useRealTimers());

describe('long bulk actions', () => {
  test('are told of once when they end, however often it is looked at that moment', async () => {
    const store = opened();
    await store.look();
    expect(store.jobs.map(({ id }) => id)).toEqual([1]);
    jobs = [job(1, 'done')];
    await Promise.all([store.cancel(1), store.look(), vi.advanceTimersByTimeAsync(20_000)]);
    await store.look();
    expect([told, store.jobs]).toEqual([['1 done'], []]);
  });

  test('that end while the server is not reached are told of when it is again', async () => {
    const store = opened();
    await store.look();
    isAway = true;
    await vi.advanceTimersByTimeAsync(10_000);
    [isAway, jobs] = [false, [job(2), job(1, 'failed')]];
    await store.look();
    expect([told, store.jobs.map(({ id }) => id)]).toEqual([['1 failed'], [2]]);
  });

  test('that end before the first look are still reported', async () => {
    jobs = [job(1, 'done')];
    await opened().look(1);
    expect(told).toEqual(['1 done']);
  });

  test('whose request tells their end are not told of again', async () => {
    const store = opened();
    await store.look();
    expect([store.claim(1), store.claim(1)]).toEqual([true, false]);
    jobs = [job(1, 'done')];
    await store.look();
    expect(told).toEqual([]);
  });

  test('are looked at ever less often, and no more when all are over', async () => {
    const store = opened();
    await store.look();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toBeGreaterThan(10);
    // A key may have thirty requests a minute, and the page needs some.
    expect(looks).toBeLessThan(25);
    jobs = [job(1, 'done')];
    await vi.advanceTimersByTimeAsync(10_000);
    const before = looks;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(before);
  });
});
