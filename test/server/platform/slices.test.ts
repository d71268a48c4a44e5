import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Connection, openInMemory } from '../../../server/platform/database/connect.ts';
import { type Transactions, transactions } from '../../../server/platform/database/transactions.ts';
import { backlog } from '../../../server/platform/jobs/backlog.ts';
import { type Slices, slices } from '../../../server/platform/jobs/slices.ts';

let database: Connection;
let usual: Transactions;
let works: Slices;
/** Milliseconds that the clock of the works shows; a step takes one. */
let clock = 0;
let slicesDone = 0;
beforeEach(() => {
  clock = 0;
  slicesDone = 0;
  database = openInMemory([
    { name: '0001-rows.sql', version: 1, sql: 'CREATE TABLE rows (id INTEGER PRIMARY KEY)' },
  ]);
  usual = transactions(database, {
    afterCommit() {
      slicesDone += 1;
    },
  });
  works = slices({
    transactions: usual,
    monotonic: () => clock,
  });
});
afterEach(() => database.close());

const insert = () => database.prepare('INSERT INTO rows DEFAULT VALUES').run();
const rows = () => database.prepare('SELECT count(*) FROM rows').pluck().get();

/** A work of so many steps, each of which takes a millisecond and writes a row. */
function workOf(steps: number): () => boolean {
  let left = steps;
  return () => {
    if (left === 0) return false;
    left -= 1;
    clock += 1;
    insert();
    return true;
  };
}

describe('a long job', () => {
  test('is split into transactions of a few milliseconds', async () => {
    expect(await works.run(workOf(30))).toBe(true);
    expect(rows()).toBe(30);
    expect(slicesDone).toBe(17);
  });

  test('has a limited number of steps per slice, however short they are', async () => {
    let left = 1000;
    await works.run(() => left-- > 0);
    expect(slicesDone).toBe(6);
  });

  test('waits for the disk at its end if it has written something, and only then', async () => {
    await works.run(() => false);
    expect(slicesDone).toBe(1);
    await works.run(workOf(1));
    expect(slicesDone).toBe(3);
    await works.run(() => false);
    expect(slicesDone).toBe(4);
  });

  test('does not wait for the disk because others have written something', async () => {
    usual.provisionally(insert);
    await works.run(() => false);
    expect(slicesDone).toBe(2);
    usual.makeDurable();
    expect(slicesDone).toBe(3);
  });

  test('yields to everybody else between slices', async () => {
    const seen: unknown[] = [];
    const watch = () => {
      seen.push(rows());
      if (Number(rows()) < 30) setImmediate(watch);
    };
    const done = works.run(workOf(30));
    setImmediate(watch);
    await done;
    expect(seen.slice(0, 4)).toEqual([2, 4, 6, 8]);
  });

  test('takes turns with others, one slice at a time', async () => {
    const order: string[] = [];
    const named = (name: string, step: () => boolean) => () => {
      if (order.at(-1) !== name) order.push(name);
      return step();
    };
    await Promise.all([works.run(named('long', workOf(9))), works.run(named('short', workOf(3)))]);
    expect(order.slice(0, 4)).toEqual(['long', 'short', 'long', 'short']);
  });

  test('only loses the current slice when a step fails', async () => {
    const work = workOf(10);
    let count = 0;
    const failing = () => {
      count += 1;
      if (count === 5) throw new Error('the disk is full');
      return work();
    };
    await expect(works.run(failing)).rejects.toThrow('the disk is full');
    expect(rows()).toBe(4);
  });

  test('waits while the write-ahead log is being checkpointed', async () => {
    let isBehind = true;
    const patient = slices({
      transactions: transactions(database),
      monotonic: () => clock,
      mustWait: () => isBehind,
    });
    const done = patient.run(workOf(3));
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(rows()).toBe(0);
    isBehind = false;
    await done;
    expect(rows()).toBe(3);
  });

  test('ends with the server', async () => {
    const done = works.run(workOf(1000));
    await new Promise((resolve) => setImmediate(resolve));
    await works.close();
    expect(await done).toBe(false);
    expect(Number(rows())).toBeLessThan(1000);
    expect(await works.run(workOf(1))).toBe(false);
  });
});

describe('remaining work', () => {
  const errors: unknown[] = [];
  const log = { error: (told: unknown) => void errors.push(told) };
  const untilEmpty = () => {
    clock += 1;
    return database.prepare('DELETE FROM rows WHERE id = (SELECT min(id) FROM rows)').run().changes > 0;
  };
  const fill = (count: number) => {
    for (let row = 0; row < count; row += 1) insert();
  };

  test('is done once it is announced', async () => {
    const wake = backlog({ slices: works, monotonic: () => clock, log }).add({
      name: 'rows',
      step: untilEmpty,
    });
    fill(20);
    await wake();
    expect(rows()).toBe(0);
  });

  test('is waited for no longer than a second, and continues', async () => {
    const wake = backlog({ slices: works, monotonic: () => clock, log }).add({
      name: 'rows',
      step: untilEmpty,
    });
    fill(1500);
    await wake();
    expect(Number(rows())).toBeGreaterThan(490);
    expect(Number(rows())).toBeLessThan(501);
    await expect.poll(rows).toBe(0);
  });

  test('is resumed by the job after a failure', async () => {
    let isFull = true;
    const step = () => {
      if (isFull) throw new Error('the disk is full');
      return untilEmpty();
    };
    const left = backlog({ slices: works, monotonic: () => clock, log });
    const wake = left.add({ name: 'rows', step });
    fill(3);
    await wake();
    expect([rows(), errors.length]).toEqual([3, 1]);
    isFull = false;
    await left.job.run(new AbortController().signal);
    expect(rows()).toBe(0);
  });
});

test('slices are not synced individually; the end of a job is, and so is everything after it', async () => {
  const levels: unknown[] = [];
  const level = () => database.pragma('synchronous', { simple: true });
  let left = 3;
  await works.run(() => {
    levels.push(level());
    clock += 5;
    left -= 1;
    insert();
    return left > 0;
  });
  const [full, normal] = [2, 1];
  expect(levels).toEqual([normal, normal, normal]);
  expect(level()).toBe(full);
  expect(slicesDone).toBe(4);
});

test('is done as the person who requested it, also while others take their turns', async () => {
  const asking = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const long = (steps: number) => {
    let left = steps;
    return () => {
      seen.push(asking.getStore());
      clock += 5;
      left -= 1;
      return left > 0;
    };
  };
  await Promise.all([
    asking.run('one', () => works.run(long(3))),
    asking.run('other', () => works.run(long(3))),
  ]);
  expect(seen).toEqual(['one', 'other', 'one', 'other', 'one', 'other']);
});
