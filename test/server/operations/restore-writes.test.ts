import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { makeBackup } from '../../support/backups.ts';

// What is acknowledged while a restore is under way is in the backup of what it replaces, or is not acknowledged.

let server: TestApp;
let folder: string;
let restarts = 0;
/** How a destination is asked whether it lets itself be framed, which a write waits for. */
let look: () => Promise<undefined>;
const start = (more: object = {}) =>
  startApp({
    folder,
    ratelimit: 1_000_000,
    restart: () => (restarts += 1),
    fetcher: { look: () => look() },
    ...more,
  });
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-restore-writes-'));
  restarts = 0;
  look = async () => undefined;
  server = await start();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const restarted = () => expect.poll(() => restarts, { timeout: 30_000 }).toBe(1);
async function startAnew(): Promise<void> {
  const { clock } = server;
  await server.close();
  restarts = 0;
  server = await start({ fresh: true, clock });
}
const restore = async (id: number): Promise<void> => {
  const begun = await server.request('POST', '/api/backup/restore', {
    key: server.key,
    body: { id, withoutkeys: true },
  });
  expect(begun.status).toBe(200);
};
const addLink = (alias: string, key: string) =>
  server.request('POST', '/api/url/add', {
    key,
    body: { url: `https://example.com/${alias}`, custom: alias },
  });
const follow = async (alias: string) =>
  (await server.request('GET', `/${alias}`, { key: null })).headers.get('location');

test('links acknowledged after a restore was ordered are restored with what it replaced', async () => {
  const { key } = server;
  const { id } = await makeBackup(server);
  await restore(id);
  const acknowledged: string[] = [];
  const refused = new Set<string>();
  for (let index = 0; restarts === 0; index += 1) {
    const reply = await addLink(`link-${index}`, key);
    if (reply.status === 200) acknowledged.push(`link-${index}`);
    else refused.add(`${reply.status} ${reply.body.code} ${reply.headers.get('retry-after')}`);
  }
  refused.add(`${(await addLink('too-late', key)).body.code}`);
  expect([...refused]).toEqual(['503 restoring 60', 'restoring'].slice(refused.size === 1 ? 1 : 0));
  // The instance is only read from here on, and that goes on.
  expect((await server.request('GET', '/api/urls', { key })).status).toBe(200);
  await startAnew();
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(await follow(acknowledged[0] ?? '')).toBeNull();

  const { backups } = (await server.request('GET', '/api/backups', { key })).body.data;
  const saved = backups.find(({ kind }: { kind: string }) => kind === 'before-restore');
  const begun = await server.request('POST', '/api/backup/restore', {
    key,
    body: { id: saved.id, withoutkeys: true },
  });
  expect(begun.status).toBe(200);
  await restarted();
  await startAnew();
  for (const alias of acknowledged) expect(await follow(alias)).toBe(`https://example.com/${alias}`);
}, 120_000);

test('an upload that ends after the current state was saved is refused', async () => {
  const { key } = server;
  const { id } = await makeBackup(server);
  const socket = connect(server.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.write(
    `POST /api/files/upload/late.txt HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: text/plain\r\nContent-Length: 8\r\n\r\nhalf',
  );
  await restore(id);
  await restarted();
  socket.write('half');
  await expect.poll(() => text).toContain('"code":"restoring"');
  expect(text).toContain('HTTP/1.1 503');
  socket.destroy();
});

test('visitors are not thanked for input that would be lost', { tags: 'long' }, async () => {
  const { key } = server;
  const content = { title: 'News', button: 'Go' };
  const overlay = await server.request('POST', '/api/overlay/add', {
    key,
    body: { name: 'News', type: 'newsletter', content },
  });
  const sign = (address: string) =>
    fetch(`${server.origin}/o/${overlay.body.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ answer: address }).toString(),
    });
  expect((await sign('early@example.com')).status).toBe(200);
  await restore((await makeBackup(server)).id);
  await restarted();
  const late = await sign('late@example.com');
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '60']);
});

test('a running write is waited for, and a cancelled restore allows writes again', async () => {
  const looked = Promise.withResolvers<undefined>();
  look = () => looked.promise;
  const { key } = server;
  const { id } = await makeBackup(server);
  const slow = server.request('POST', '/api/url/add', {
    key,
    body: { url: 'https://example.com/framed', custom: 'framed', type: 'frame' },
  });
  await expect.poll(async () => (await server.request('GET', '/framed', { key: null })).status).toBe(200);
  await restore(id);
  await expect
    .poll(async () => (await server.request('GET', '/api/backups', { key })).body.data.running?.phase)
    .toBe('saving');
  await expect.poll(async () => (await addLink('in-between', key)).body.code).toBe('restoring');
  const cancelled = server.request('POST', `/api/backup/${id}/cancel`, { key });
  looked.resolve(undefined);
  expect((await slow).status).toBe(200);
  expect((await cancelled).status).toBe(200);
  expect(restarts).toBe(0);
  expect((await addLink('afterwards', key)).status).toBe(200);
  expect(await follow('afterwards')).toBe('https://example.com/afterwards');
});

test('a bulk action in the background pauses once the current state is saved, and continues if the restore is cancelled', {
  tags: 'long',
}, async () => {
  const looked = Promise.withResolvers<undefined>();
  look = () => looked.promise;
  const { key } = server;
  const { main } = server.databases;
  const { id } = await makeBackup(server);
  main.exec(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59999)
    INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
    SELECT 1, 'a' || i, 'https://example.com/' || i, 1, 1, 'a' || i FROM n`);
  const archived = () => Number(main.prepare('SELECT count(*) FROM links WHERE archived = 1').pluck().get());
  // A write that is under way keeps the gate closed for as long as this test looks.
  const slow = server.request('POST', '/api/url/add', {
    key,
    body: { url: 'https://example.com/framed', custom: 'framed', type: 'frame' },
  });
  await expect.poll(async () => (await server.request('GET', '/framed', { key: null })).status).toBe(200);
  await restore(id);
  const begun = await server.request('POST', '/api/urls/bulk', {
    key,
    body: { filter: { status: 'public' }, action: 'archive', background: true },
  });
  const { job } = begun.body.data;
  const jobNow = async () => (await server.request('GET', `/api/urls/bulk/${job}`, { key })).body.data;
  await expect.poll(async () => (await addLink('in-between', key)).body.code).toBe('restoring');
  const [saved, told] = [archived(), await jobNow()];
  expect(saved).toBeLessThan(60_000);
  for (let turn = 0; turn < 300; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect([archived(), await jobNow()]).toEqual([saved, told]);
  const given = server.request('POST', `/api/backup/${id}/cancel`, { key });
  looked.resolve(undefined);
  expect((await slow).status).toBe(200);
  expect((await given).status).toBe(200);
  await expect.poll(archived).toBeGreaterThan(saved);
  expect((await server.request('POST', `/api/urls/bulk/${job}/cancel`, { key })).status).toBe(200);
  await expect.poll(async () => (await jobNow()).state).toBe('cancelled');
});
