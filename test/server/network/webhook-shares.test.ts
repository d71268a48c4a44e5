import { afterEach, describe, expect, test } from 'vitest';
import { type DueWebhook, fairShares } from '../../../server/network/webhooks/fair-shares.ts';
import { unavailable } from '../../../server/platform/errors.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';

let server: TestApp;

interface Sender {
  request(method: string, path: string, options?: { body?: unknown }): Promise<{ body: { id: number } }>;
}

const listen = async (as: Sender, url: string) =>
  (await as.request('POST', '/api/webhook/add', { body: { url, events: ['link.created'] } })).body.id;
const addLink = (as: Sender) => as.request('POST', '/api/url/add', { body: { url: 'https://example.com/' } });
const deliveries = async (id: number) =>
  (await server.request('GET', `/api/webhook/${id}/deliveries`)).body.data.deliveries;

describe('messages of one account', () => {
  afterEach(() => server.close());

  test('arrive although every endpoint of another account is silent', async () => {
    const silent: string[] = [];
    server = await startApp({
      fetcher: {
        post: (url, { signal }) => {
          if (url.includes('listens')) return Promise.resolve(204);
          silent.push(url);
          return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(undefined)));
        },
      },
    });
    const bert = secondAccount(server);
    for (let number = 0; number < 30; number += 1) await listen(bert, `https://silent${number}.example/hook`);
    await addLink(bert);
    await expect.poll(() => silent.length).toBe(4);
    const id = await listen(server, 'https://listens.example/hook');
    await addLink(server);
    await expect.poll(async () => (await deliveries(id))[0]?.state).toBe('delivered');
    expect(silent.length).toBe(4);
  });

  test('arrive although an event or a webhook of another account is damaged', async () => {
    server = await startApp({ fetcher: { post: () => Promise.resolve(204) } });
    const bert = secondAccount(server);
    const damaged = await listen(bert, 'https://damaged.example/hook');
    const { main } = server.databases;
    main.prepare("UPDATE webhooks SET events = '[' WHERE id = ?").run(damaged);
    const add = main.prepare(
      "INSERT INTO webhook_events (user_id, type, data) VALUES (?, 'link.created', ?)",
    );
    const id = await listen(server, 'https://listens.example/hook');
    for (const data of ['{', 'null']) add.run(1, data);
    await addLink(bert);
    await addLink(server);
    await expect.poll(async () => (await deliveries(id))[0]?.state).toBe('delivered');
    expect(main.prepare('SELECT count(*) FROM webhook_events').pluck().get()).toBe(0);
    expect(server.logLines().join()).toContain('no messages were made of a damaged event');
  });

  test.each([1, 3])('arrive although %i other endpoints of the account are silent', async (others) => {
    const silent: string[] = [];
    server = await startApp({
      fetcher: {
        post: (url, { signal }) => {
          if (url.includes('listens')) return Promise.resolve(204);
          silent.push(url);
          return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(undefined)));
        },
      },
    });
    for (let number = 0; number < others; number += 1)
      await listen(server, `https://silent${number}.example/hook`);
    const id = await listen(server, 'https://listens.example/hook');
    for (let number = 0; number < 12; number += 1) await addLink(server);
    await expect
      .poll(async () => (await deliveries(id)).map(({ state }: { state: string }) => state))
      .toEqual(Array(12).fill('delivered'));
    expect(silent).toHaveLength(3);
  });

  test('are not tried at a silent endpoint as if it had answered, whenever the job ran meanwhile', async () => {
    const giveUp: (() => void)[] = [];
    let retried = 0;
    server = await startApp({
      fetcher: {
        post: (url, { signal }) => {
          if (url.includes('silent')) {
            return new Promise((resolve) => {
              giveUp.push(() => resolve(undefined));
              signal?.addEventListener('abort', () => resolve(undefined));
            });
          }
          retried += 1;
          return Promise.resolve(retried > 1 ? 204 : 500);
        },
      },
    });
    await listen(server, 'https://fails.example/hook');
    await addLink(server);
    await expect.poll(() => retried).toBe(1);
    await listen(server, 'https://silent.example/hook');
    for (let number = 0; number < 8; number += 1) await addLink(server);
    await expect.poll(() => giveUp.length).toBe(3);
    // What failed is due again: only the job finds it, and with it every webhook anew.
    const before = retried;
    server.clock.advance(6_000);
    server.app.startJobs();
    await expect.poll(() => retried, { timeout: 5_000 }).toBeGreaterThan(before);
    for (const end of giveUp.splice(0)) end();
    await expect.poll(() => giveUp.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(giveUp).toHaveLength(2);
  });

  test('wait without using an attempt while the server fetches too much at once', async () => {
    let isFull = true;
    let asked = 0;
    server = await startApp({
      fetcher: {
        post: async () => {
          asked += 1;
          if (isFull) throw unavailable('The server is fetching too many URLs at once. Try again soon.');
          return 204;
        },
      },
    });
    const id = await listen(server, 'https://listens.example/hook');
    await addLink(server);
    await expect.poll(() => asked).toBe(1);
    const [waiting] = await deliveries(id);
    expect([waiting.state, waiting.attempts]).toEqual(['waiting', 0]);
    expect((await server.request('GET', `/api/webhook/${id}`)).body.data.failingsince).toBeNull();
    const tried = await server.request('POST', `/api/webhook/${id}/test`);
    expect([tried.status, tried.body.code]).toEqual([503, 'unavailable']);
    isFull = false;
    server.app.startJobs();
    server.clock.advance(10_000);
    await expect.poll(async () => (await deliveries(id))[0]?.state, { timeout: 20_000 }).toBe('delivered');
    expect((await deliveries(id))[0].attempts).toBe(1);
  });
});

describe('fair shares', () => {
  const webhook = (
    id: number,
    user_id: number,
    host = `host${id}.example`,
    failing: 0 | 1 = 0,
  ): DueWebhook => ({
    id,
    user_id,
    url: `https://${host}/hook`,
    failing,
  });

  /** The webhooks that get attempts while none of them ends. */
  function begun(due: DueWebhook[], shares = fairShares()): number[] {
    const ids: number[] = [];
    for (let next = shares.next(due); next; next = shares.next(due)) {
      shares.begin(next);
      ids.push(next.id);
    }
    return ids;
  }

  test('give each account four slots', () => {
    const due = Array.from({ length: 10 }, (_, index) => webhook(index, 1));
    expect(begun(due)).toEqual([0, 1, 2, 3]);
  });

  test('leave one slot of an account to its other webhooks', () => {
    const shares = fairShares();
    expect(begun([webhook(1, 1)], shares)).toEqual([1, 1, 1]);
    expect(begun([webhook(1, 1), webhook(2, 1)], shares)).toEqual([2]);
  });

  test('let accounts take turns', () => {
    const due = [webhook(1, 1), webhook(2, 1), webhook(3, 2), webhook(4, 2)];
    expect(begun(due).slice(0, 4)).toEqual([1, 3, 2, 4]);
  });

  test('give one host four slots, whoever names it', () => {
    const due = Array.from({ length: 9 }, (_, index) => webhook(index, index, 'one.example'));
    expect(begun(due)).toHaveLength(4);
  });

  test('leave half of the slots to working webhooks', () => {
    const failing = Array.from({ length: 40 }, (_, index) => webhook(index, index, undefined, 1));
    const shares = fairShares();
    expect(begun(failing, shares)).toHaveLength(12);
    const healthy = Array.from({ length: 40 }, (_, index) => webhook(100 + index, 100 + index));
    expect(begun([...failing, ...healthy], shares)).toHaveLength(12);
  });

  test("leave half of an account's slots to its working webhooks", () => {
    const shares = fairShares();
    const failing = Array.from({ length: 6 }, (_, index) => webhook(index, 1, undefined, 1));
    const healthy = Array.from({ length: 6 }, (_, index) => webhook(10 + index, 1));
    const first = begun(failing, shares);
    expect(first).toHaveLength(2);
    expect(begun([...failing, ...healthy], shares)).toEqual([10, 11]);
  });

  test('pass on a slot when an attempt ends, to the account that has waited longest', () => {
    const due = [webhook(1, 1), webhook(2, 2), webhook(3, 3)];
    const shares = fairShares();
    const first = shares.next(due) as DueWebhook;
    shares.begin(first)();
    const second = shares.next(due) as DueWebhook;
    shares.begin(second)();
    const third = shares.next(due) as DueWebhook;
    expect([first.id, second.id, third.id]).toEqual([1, 2, 3]);
  });
});
