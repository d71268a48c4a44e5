import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { visit } from '../support/visits.ts';
import { alternately, type Side, untilIdle } from './alternately.ts';
import { describeSpread, quantile, spreadOf } from './metrics.ts';
import { pacedLoad } from './paced.ts';
import { wireRequests } from './requests.ts';

/** A side that stays busy after its measurement until it has settled. */
function busySide(name: string, journal: string[]) {
  const side = {
    name,
    isBusy: false,
    async settle() {
      await Promise.resolve();
      if (side.isBusy) journal.push(`${name} settles`);
      side.isBusy = false;
    },
  };
  return side;
}

test('neither side is measured while the other one is still busy', async () => {
  const journal: string[] = [];
  const base = busySide('bare', journal);
  const ours = busySide('ours', journal);
  const run = async (side: typeof base) => {
    expect(base.isBusy || ours.isBusy).toBe(false);
    side.isBusy = true;
    journal.push(side.name);
    return side.name;
  };
  const results = await alternately({ base, ours, rounds: 3, warmUp: run, measure: run });
  expect(results).toEqual(Array(3).fill({ base: 'bare', ours: 'ours' }));
  const runs = journal.filter((entry) => !entry.endsWith('settles'));
  // Both warm up; then each is first in every second round.
  expect(runs).toEqual(['bare', 'ours', 'bare', 'ours', 'ours', 'bare', 'bare', 'ours']);
});

test('a server counts as idle once all clicks are counted and it uses no processor time', async () => {
  const uncounted = [5, 2, 0, 0, 0];
  const used = [1, 2, 3, 4, 4.5, 4.5];
  let looks = 0;
  await untilIdle({
    uncounted: () => uncounted[looks++] ?? 0,
    processorTime: () => used.shift() ?? 4.5,
    everyMs: 1,
  });
  expect(used).toEqual([]);
  const never = untilIdle({ uncounted: () => 1, processorTime: () => 0, everyMs: 1, mostLooks: 3 });
  await expect(never).rejects.toThrow('1 clicks to count');
});

test('waiting for our server ends once the statistics include every click', async () => {
  await using stack = new AsyncDisposableStack();
  const server = await startApp();
  stack.defer(() => server.close());
  const reply = await server.request('POST', '/api/url/add', {
    body: { url: 'https://example.com/', custom: 'x' },
  });
  const count = (sql: string) => server.databases.clicks.prepare<[], number>(sql).pluck().get() ?? 0;
  const base: Side = { settle: async () => {} };
  const ours: Side = {
    settle: () =>
      untilIdle({
        uncounted: () =>
          count('SELECT coalesce(max(id), 0) - (SELECT position FROM rollup_position) FROM clicks'),
        processorTime: () => 0,
        everyMs: 5,
      }),
  };
  const counted: number[] = [];
  await alternately({
    base,
    ours,
    rounds: 2,
    warmUp: async () => {},
    async measure(side) {
      if (side === base) counted.push(count('SELECT sum(clicks) FROM links'));
      else for (let index = 0; index < 20; index += 1) await visit(server, '/x');
    },
  });
  expect(reply.body.error).toBe(0);
  expect(counted).toEqual([0, 40]);
});

test('a paced load counts what is waiting, and accepts only redirects', async () => {
  await using stack = new AsyncDisposableStack();
  let asked = 0;
  const ofConnection = new Map<unknown, number>();
  const server = createServer((request, response) => {
    asked += 1;
    ofConnection.set(request.socket, (ofConnection.get(request.socket) ?? 0) + 1);
    response.writeHead(request.url === '/wrong' ? 404 : 302, { 'content-length': 0 }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const load = { port, seconds: 0.4, rate: 500, connections: 2 };
  const waits = await pacedLoad({ ...load, requests: wireRequests(['/one', '/two'], port) });
  expect(asked).toBe(200);
  // No connection is idle for so long that a server would close it.
  expect([...ofConnection.values()]).toEqual([100, 100]);
  expect(waits.p50).toBeLessThanOrEqual(waits.p99);
  expect(waits.p99).toBeLessThanOrEqual(waits.worst);
  const wrong = pacedLoad({ ...load, requests: wireRequests(['/wrong'], port) });
  await expect(wrong).rejects.toThrow('not a redirect');
});

test('the benchmark runs in plain Node.js and names its parts', async () => {
  const program = fileURLToPath(new URL('redirects.ts', import.meta.url));
  const run = promisify(execFile)(process.execPath, [program, '--only', 'everything']);
  await expect(run).rejects.toMatchObject({ code: 2, stdout: expect.stringContaining('beside-bare') });
});

test('a number is the median, with the minimum and maximum', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  expect(spreadOf([4, 1, 2, 3]).median).toBe(2.5);
  expect(describeSpread([0.5, 1, 2])).toBe('1.00 (0.50 to 2.00)');
  expect(quantile([1, 2, 3, 4], 0.5)).toBe(3);
  expect(quantile([1, 2, 3, 4], 1)).toBe(4);
});
