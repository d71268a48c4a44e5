import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { keptDeleted } from '../../../server/contract/trash.ts';
import type { Core } from '../../../server/platform/core.ts';
import type { Reader } from '../../../server/platform/database/reader.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import type { Job } from '../../../server/platform/jobs/scheduler.ts';
import { slices } from '../../../server/platform/jobs/slices.ts';
import { trashModule } from '../../../server/platform/trash/module.ts';
import { heldRemovals, trashQueries } from '../../../server/platform/trash/queries.ts';
import { trimJob } from '../../../server/platform/trash/trim-job.ts';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());
afterEach(() => run('DELETE FROM removals'));

const run = (sql: string) => server.databases.main.exec(sql);
const count = (): number =>
  Number(server.databases.main.prepare('SELECT count(*) FROM removals').pluck().get());
const addRemovals = (resource: string, from: number, to: number) =>
  run(`WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
    INSERT INTO removals (resource, record_id, user_id, content, removed_at, state)
      SELECT '${resource}', i, 1, '{}', i, 'trashed' FROM n`);
const running = new AbortController().signal;

/** What every trimming needs; `noted` is how many the log says have gone. Each slice has 200 steps. */
function parts() {
  const { main } = server.databases;
  const atomic = transactions(main);
  const noted: unknown[] = [];
  const read: Reader['read'] = async (reads) =>
    reads.map(({ sql, values }) => main.prepare<unknown[], Record<string, number>>(sql).all(...values));
  return {
    noted,
    reader: { read },
    transactions: atomic,
    slices: slices({ transactions: atomic, monotonic: () => 0 }),
    audit: {
      note: (_actor: unknown, _action: string, details: { removed: number }) => noted.push(details.removed),
    },
  };
}

/** A job that keeps ten; `before` runs before each removal, `told` has who lost something. */
function trimmed(before: (removed: number) => void) {
  const { noted, ...others } = parts();
  const queries = trashQueries(server.databases.main);
  const told: number[] = [];
  let removed = 0;
  const job = trimJob({
    ...others,
    audit: others.audit as unknown as Core['audit'],
    name: 'trim',
    each: 10,
    counts: heldRemovals,
    removeOldest({ account, creator }) {
      before(removed);
      const id = queries.findOldest('pixels', account, creator);
      if (id === undefined) return undefined;
      queries.remove('pixels', id);
      removed += 1;
      return 1;
    },
    onRemoved: (holders) => void told.push(...holders.map(({ account }) => account)),
    nameOf: () => undefined,
  });
  return { job, noted, told };
}

test('what somebody restores meanwhile is not removed', async () => {
  addRemovals('pixels', 1, 2010);
  const { job, noted, told } = trimmed((removed) => {
    if (removed === 500) run('DELETE FROM removals WHERE record_id > 1900');
  });
  await job.run(running);
  expect([count(), noted, told]).toEqual([10, [1890], [1]]);
});

test('what was removed before an error is logged, and what was rolled back is not', async () => {
  addRemovals('pixels', 1, 510);
  const failure = new Error('no room');
  const { job, noted, told } = trimmed((removed) => {
    if (removed === 304) throw failure;
  });
  await expect(job.run(running)).rejects.toBe(failure);
  expect([count(), noted, told]).toEqual([310, [200], [1]]);
});

test("an account's pictures are checked once, and only if pages were removed", async () => {
  const { noted, ...others } = parts();
  const swept: number[] = [];
  const jobs: Job[] = [];
  const core = {
    ...others,
    databases: server.databases,
    backlog: { add() {} },
    changes: { publish() {} },
    clock: { ...server.clock, isTrusted: () => true },
    jobs: { add: (job: Job) => jobs.push(job) },
  };
  trashModule(core as unknown as Core, {
    pictures: { sweep: (account) => void swept.push(account), dropLapsed: () => false },
  });
  for (const [resource, sweeps] of [
    ['pixels', []],
    ['bio', [1]],
  ] as const) {
    run('DELETE FROM removals');
    addRemovals(resource, 1, keptDeleted.records + 12);
    await jobs[0]?.run(running);
    expect([resource, count(), swept]).toEqual([resource, keptDeleted.records, sweeps]);
  }
  expect(noted).toEqual([12, 12]);
});

test('a record whose rows are being removed cannot be restored without them, and the rest follows within the hour', () => {
  const queries = trashQueries(server.databases.main);
  const now = 40 * 86_400_000;
  queries.insert('pixels', 7, 1, '{}', now);
  queries.finish('pixels', 7);
  run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
    INSERT INTO trash_parts (resource, record_id, source, content) SELECT 'pixels', 7, 'links', '[]' FROM n`);
  expect([queries.find('pixels', 7, 1, 0), queries.listBefore(now, 5)]).toEqual(['{}', []]);
  expect(queries.removeParts('pixels', 7)).toBe(true);
  expect(queries.find('pixels', 7, 1, 1)).toBeUndefined();
  expect(queries.listBefore(1, 5)).toMatchObject([{ resource: 'pixels', id: 7 }]);
  expect(queries.findOldest('pixels', 1, 1)).toBe(7);
});
