import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { reserveName } from '../../server/platform/database/disk-space.ts';
import { administrator, startApp, type TestApp } from './app.ts';
import type { SmallDisk } from './small-disk.ts';
import { upload } from './uploads.ts';
import { visit } from './visits.ts';

/** This disk reports its real state; other tests get one that never fills up. */
const optionsOn = ({ folder }: SmallDisk) => ({
  folder: join(folder, 'data'),
  spaceLookMs: 50,
  freeBytes: async () => 1e12,
  diskBytes() {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free: bavail * bsize, total: blocks * bsize };
  },
});

/** Creates an instance with links and a file of 4 MB on a disk, and waits until space is reserved for deleting. */
export async function instanceOn(
  disk: SmallDisk,
): Promise<{ server: TestApp; fileId: number; linkIds: number[] }> {
  const options = optionsOn(disk);
  const server = await startApp(options);
  const { id: fileId } = await upload(server, Buffer.alloc(4_000_000, 1), {}, 'large.bin');
  const linkIds: number[] = [];
  for (let index = 0; index < 5; index += 1) linkIds.push(await add(server, `link${index}`));
  await expect.poll(() => existsSync(join(options.folder, reserveName)), { timeout: 10_000 }).toBe(true);
  return { server, fileId, linkIds };
}

/**
 * On a full disk: redirects, reading with an idle key and signing in work, writes are 507, and deleting through the API
 * frees the disk again. Closes the server; the data on the disk must be sound.
 */
export async function expectWayOut(
  disk: SmallDisk,
  { server, fileId, linkIds }: Awaited<ReturnType<typeof instanceOn>>,
): Promise<void> {
  const written: string[] = [];
  let refused: { status: number; body: { code?: string } } | undefined;
  // Near the edge the first writes may still fit.
  for (let index = 0; refused === undefined; index += 1) {
    const reply = await request(server, `new${index}`);
    if (reply.status === 200) written.push(`new${index}`);
    else refused = reply;
  }
  expect([refused.status, refused.body.code]).toEqual([507, 'disk_full']);
  expect((await visit(server, '/link1')).location).toBe('https://example.com/link1');
  server.clock.advance(10 * 60_000);
  expect((await server.request('GET', '/api/urls', { key: server.key })).status).toBe(200);
  expect((await visit(server, '/link2')).location).toBe('https://example.com/link2');
  const { email, password } = administrator;
  const signedIn = await server.request('POST', '/api/auth/login', {
    key: null,
    body: { login: email, password },
  });
  expect(signedIn.status).toBe(200);
  expect((await server.request('DELETE', `/api/url/${linkIds[0]}/delete`)).status).toBe(200);
  expect((await server.request('DELETE', `/api/url/${linkIds[0]}/delete`)).status).toBe(200);
  expect((await visit(server, '/link0')).status).toBe(404);
  expect((await server.request('DELETE', `/api/file/${fileId}/delete`)).status).toBe(200);
  await expect
    .poll(async () => (await request(server, 'after')).status, { timeout: 10_000, interval: 200 })
    .toBe(200);
  expect((await visit(server, '/after')).location).toBe('https://example.com/after');
  await server.close();
  const again = await startApp(optionsOn(disk));
  try {
    expect(again.databases.main.pragma('integrity_check', { simple: true })).toBe('ok');
    for (const alias of ['link1', 'after', ...written]) {
      expect((await visit(again, `/${alias}`)).location).toBe(`https://example.com/${alias}`);
    }
    expect((await visit(again, '/link0')).status).toBe(404);
  } finally {
    await again.close();
  }
}

async function add(server: TestApp, alias: string): Promise<number> {
  const reply = await request(server, alias);
  expect(reply.status).toBe(200);
  return reply.body.id;
}

function request(server: TestApp, alias: string) {
  const body = { url: `https://example.com/${alias}`, custom: alias };
  return server.request('POST', '/api/url/add', { body });
}
