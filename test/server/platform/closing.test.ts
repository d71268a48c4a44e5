import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { addLink } from '../../../server/contract/links.ts';
import { listClicks } from '../../../server/contract/stats.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { lanNetwork } from '../../support/lan.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-closing-'));
let server: TestApp;

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a module that cannot be closed is reported, and leaves nothing else open', async () => {
  const broken: TestApp = await startApp({
    folder,
    network: {
      ...lanNetwork(() => broken),
      discovery: {
        announce() {},
        withdraw() {},
        find: async () => [],
        end: () => Promise.reject(new Error('the announcement cannot be taken back')),
      },
    },
  });
  const { shorturl } = await broken.call(addLink, { body: { url: 'https://example.com/here' } });
  const path = new URL(shorturl).pathname;
  expect((await broken.request('GET', path, { key: null })).status).toBe(302);

  await expect(broken.close()).rejects.toThrow('the announcement cannot be taken back');
  expect(broken.databases.main.open).toBe(false);
  expect(broken.databases.clicks.open).toBe(false);

  server = await startApp({ folder });
  const again = await server.request('GET', path, { key: null });
  expect([again.status, again.headers.get('location')]).toEqual([302, 'https://example.com/here']);
  // Bots are counted apart, and a test's client is one.
  const { data } = await server.call(listClicks, { query: { bots: '1' } });
  expect(data.clicks).toHaveLength(2);
});
