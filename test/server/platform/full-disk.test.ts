import { expect, test } from 'vitest';
import { startApp } from '../../support/app.ts';
import { expectWayOut, instanceOn } from '../../support/full-disk.ts';
import { secondAccount } from '../../support/second-account.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { visit } from '../../support/visits.ts';

const disk = smallDisk(32);

test.skipIf(!disk)('a completely full disk is recovered by deleting', { timeout: 60_000 }, async () => {
  if (!disk) return;
  try {
    const instance = await instanceOn(disk);
    disk.fill();
    expect(disk.freeBytes()).toBeLessThan(16_384);
    await expectWayOut(disk, instance);
  } finally {
    disk.remove();
  }
});

const small = smallDisk(32);

test.skipIf(!small)('a server starts on a full disk', { timeout: 60_000 }, async () => {
  if (!small) return;
  try {
    const { server } = await instanceOn(small);
    await server.close();
    small.fill();
    const again = await startApp({ folder: server.folder, spaceLookMs: 50 });
    const followed = await again.request('GET', '/link1', { key: null });
    expect(followed.headers.get('location')).toBe('https://example.com/link1');
    await again.close();
  } finally {
    small.remove();
  }
});

test('clicks are not written when space is low, but redirects are answered', async () => {
  const bytes = { free: 10_000_000_000, total: 100_000_000_000 };
  const server = await startApp({ diskBytes: () => bytes, spaceLookMs: 20 });
  try {
    const add = (body: object) =>
      server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', ...body } });
    await add({ custom: 'plain' });
    await add({ custom: 'once', clicklimit: 1 });
    const bio = await server.request('POST', '/api/bio/add', { body: { name: 'Anna', alias: 'me' } });
    expect(bio.status).toBe(200);
    await visit(server, '/plain');
    bytes.free = 50_000_000;
    const state = async () => (await server.request('GET', '/api/instance')).body.data;
    await expect.poll(async () => (await state()).disk).toBe('low');
    expect((await visit(server, '/plain')).location).toBe('https://example.com/');
    expect(await state()).toMatchObject({ disk: 'low', freebytes: 50_000_000, lostvisits: 1 });
    // So is the view of a page, which is not a click.
    expect((await visit(server, '/me')).status).toBe(200);
    expect((await state()).lostvisits).toBe(2);
    // What a limit promises holds all the same, and what people do is written.
    expect((await visit(server, '/once')).status).toBe(302);
    expect((await visit(server, '/once')).status).toBe(410);
    expect((await add({ custom: 'more' })).status).toBe(200);
    bytes.free = 10_000_000_000;
    await expect.poll(async () => (await state()).disk).toBe('ok');
    await visit(server, '/plain');
    const links = await server.request('GET', '/api/urls?short=plain');
    expect(links.body.data.urls[0].clicks).toBe(2);
    expect((await state()).lostvisits).toBe(3);
  } finally {
    await server.close();
  }
});

test("only an administrator sees the instance's state", async () => {
  const server = await startApp();
  try {
    expect((await server.request('GET', '/api/instance')).body.data).toEqual({
      lostvisits: 0,
      disk: 'ok',
      freebytes: expect.any(Number),
      clockdoubtedsince: null,
      damage: null,
      lostsecrets: null,
    });
    const bert = secondAccount(server);
    expect((await bert.request('GET', '/api/instance')).status).toBe(403);
  } finally {
    await server.close();
  }
});
