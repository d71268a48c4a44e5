import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getStorage } from '../../../server/contract/files.ts';
import { addPlan, listPlans, updatePlan } from '../../../server/contract/plans.ts';
import { findStorageFaults } from '../../../server/identity/plans/storage-queries.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { seededIntegers } from '../../support/clock.ts';
import { addDomain, type SecondAccount, secondAccount } from '../../support/second-account.ts';
import { rawExchange, storedContents, uploadHead, uploadPath } from '../../support/uploads.ts';

/**
 * A PNG of bright noise, which no encoder makes small: about two bytes a pixel. A code with it in the middle still
 * scans.
 */
async function noise(edge: number): Promise<Buffer> {
  const random = seededIntegers(edge);
  const pixels = Buffer.from(Array.from({ length: edge * edge * 3 }, () => 224 + random(32)));
  return sharp(pixels, { raw: { width: edge, height: edge, channels: 3 } })
    .png()
    .toBuffer();
}

let server: TestApp;
let picture: Buffer;
beforeAll(async () => {
  picture = await noise(300);
  server = await startApp({
    ratelimit: 100_000,
    fetcher: { get: async () => ({ body: picture, type: 'image/png' }) },
  });
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

/** Somebody on a plan with so many megabytes. */
async function accountWith(megabytes: number): Promise<SecondAccount> {
  const { data } = await server.call(addPlan, { body: { name: randomUUID(), limits: { megabytes } } });
  const account = secondAccount(server, randomUUID());
  await server.request('PUT', `/api/plan/${data.id}/user/${account.id}`);
  return account;
}

const send = (account: SecondAccount, bytes: number, query: Record<string, string> = {}) =>
  server.request('POST', uploadPath('a.bin', query), { key: account.key, rawBody: Buffer.alloc(bytes, 'x') });
const usage = async (account: SecondAccount) => (await account.call(getStorage)).data;
const full = (used: string, limit: string) =>
  `Your files and pictures use ${used} of the ${limit} in your plan, so this does not fit. Delete files or change the plan.`;

describe('an account on a plan with 1 MB', () => {
  test('stores files up to exactly that, and the next byte is refused with both numbers', async () => {
    const account = await accountWith(1);
    const { shorturl } = (await send(account, 600_000)).body;
    expect((await send(account, 400_000)).status).toBe(200);
    const refused = await send(account, 1);
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: 1, code: 'storage_full', message: full('1 MB', '1 MB') },
    ]);
    expect(await usage(account)).toEqual({ files: 1_000_000, pictures: 0, limit: 1_000_000 });
    expect((await (await fetch(shorturl)).arrayBuffer()).byteLength).toBe(600_000);
  });

  test('has space again when a file is deleted', async () => {
    const account = await accountWith(1);
    const { id } = (await send(account, 900_000)).body;
    expect((await send(account, 200_000)).body.code).toBe('storage_full');
    await account.request('DELETE', `/api/file/${id}/delete`);
    const { shorturl } = (await send(account, 200_000)).body;
    expect((await (await fetch(shorturl)).arrayBuffer()).byteLength).toBe(200_000);
  });

  test('loses unused uploaded pictures when it needs their space, the oldest first', async () => {
    const account = await accountWith(1);
    const body = { picture: `data:image/png;base64,${picture.toString('base64')}` };
    const upload = async () => (await account.request('POST', '/api/picture/add', { body })).body;
    const urls: string[] = [];
    for (let count = 0; count < 20; count += 1) urls.push((await upload()).url);
    expect(urls.every((url) => typeof url === 'string')).toBe(true);
    const one = (await usage(account)).pictures;
    expect(one).toBeLessThanOrEqual(1_000_000);
    const add = (banner: string) =>
      account.request('POST', '/api/splash/add', { body: { name: 'Shows', banner } });
    expect((await add(urls.at(-1) ?? '')).status).toBe(200);
    expect((await send(account, 700_000)).status).toBe(200);
    const after = await usage(account);
    expect([after.files, after.pictures > 0]).toEqual([700_000, true]);
    // In vain nothing goes, and neither does what a page shows.
    expect((await send(account, 700_000)).body.code).toBe('storage_full');
    expect(await usage(account)).toEqual(after);
    expect(findStorageFaults(server.databases.main)).toEqual([]);
  });

  test('gets the error before the content is sent if its length is known', async () => {
    const account = await accountWith(1);
    await send(account, 900_000);
    const before = storedContents(server);
    const head = uploadHead(server, account.key, ['Content-Length: 200000']);
    const { text } = await rawExchange(server.port, [head], 2_000);
    expect(text).toContain('HTTP/1.1 400');
    expect(text).toContain('storage_full');
    expect(storedContents(server)).toEqual(before);
  });

  test('refuses content of unknown length as soon as it is too large', async () => {
    const account = await accountWith(1);
    await send(account, 900_000);
    const before = storedContents(server);
    const head = uploadHead(server, account.key, ['Transfer-Encoding: chunked']);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    // Never ended: the answer does not wait for the rest.
    const { text } = await rawExchange(server.port, [head, chunk, chunk], 2_000);
    expect(text).toContain('storage_full');
    await expect.poll(() => storedContents(server).unfinished, { timeout: 5_000 }).toEqual([]);
    expect(storedContents(server)).toEqual(before);
  });

  test('cannot be exceeded by simultaneous uploads', async () => {
    const account = await accountWith(1);
    const before = storedContents(server).finished.length;
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(account, 400_000)));
    const stored = replies.filter(({ status }) => status === 200);
    expect(replies.filter(({ body }) => body.code === 'storage_full')).toHaveLength(8 - stored.length);
    expect(stored.length).toBeLessThanOrEqual(2);
    expect(await usage(account)).toMatchObject({ files: stored.length * 400_000 });
    expect(storedContents(server).finished).toHaveLength(before + stored.length);
    // What was refused holds nothing.
    expect((await send(account, 1_000_000 - stored.length * 400_000)).status).toBe(200);
  });

  test('uses no more disk space during uploads than afterwards', async () => {
    const account = await accountWith(1);
    const head = uploadHead(server, account.key, ['Transfer-Encoding: chunked']);
    const chunk = `60000\r\n${'x'.repeat(0x60000)}\r\n`;
    // None of them ends, so nothing is stored yet; two fit, and the third is refused while they wait.
    const arriving = Array.from({ length: 3 }, () => rawExchange(server.port, [head, chunk], 2_000));
    const answers = (await Promise.all(arriving)).map(({ text }) => text);
    expect(answers.filter((text) => text.includes('storage_full'))).toHaveLength(1);
    await expect.poll(() => storedContents(server).unfinished, { timeout: 5_000 }).toEqual([]);
    expect((await send(account, 1_000_000)).status).toBe(200);
  });

  test.each([
    ['a bio page', 'avatar', 'POST', '/api/bio/add', { name: 'x', avatar: 'https://pictures.example/a.png' }],
    [
      'an overlay',
      'content.image',
      'POST',
      '/api/overlay/add',
      {
        name: 'x',
        type: 'image',
        content: { image: 'https://pictures.example/a.png', link: 'https://example.com/' },
      },
    ],
    ['a splash page', 'banner', 'POST', '/api/splash/add', { name: 'x', banner: 'https://a.example/b.png' }],
    ['the account', 'avatar', 'PUT', '/api/account/update', { avatar: 'https://pictures.example/a.png' }],
    [
      'a QR code',
      'logo',
      'POST',
      '/api/qr/add',
      { type: 'link', data: 'https://example.com/menu', logo: 'https://a.example/b.png', logosize: 10 },
    ],
  ])('has no space beside its files for the picture of %s', async (_of, field, method, path, body) => {
    const account = await accountWith(1);
    const { id } = (await send(account, 999_999)).body;
    const refused = await account.request(method, path, { body });
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: 1, code: 'storage_full', field, message: full('0.9 MB', '1 MB') },
    ]);
    expect((await usage(account)).pictures).toBe(0);

    await account.request('DELETE', `/api/file/${id}/delete`);
    expect((await account.request(method, path, { body })).status).toBe(200);
    const { pictures } = await usage(account);
    expect(pictures).toBeGreaterThan(100_000);
    // Now the file does not fit beside the picture.
    expect((await send(account, 999_999)).body.code).toBe('storage_full');
    expect((await send(account, 1_000_000 - pictures)).status).toBe(200);
    expect(findStorageFaults(server.databases.main)).toEqual([]);
  });

  test("has no space beside its files for a domain's logo", async () => {
    const account = await accountWith(1);
    const id = addDomain(server, `${randomUUID()}.example`, account.id);
    const body = { logo: 'https://pictures.example/a.png' };
    const { body: file } = await send(account, 999_999);
    const refused = await account.request('PUT', `/api/domain/${id}/update`, { body });
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([400, 'storage_full', 'logo']);

    await account.request('DELETE', `/api/file/${file.id}/delete`);
    expect((await account.request('PUT', `/api/domain/${id}/update`, { body })).status).toBe(200);
    expect((await usage(account)).pictures).toBeGreaterThan(100_000);
    await account.request('DELETE', `/api/domain/${id}/delete`);
    await expect.poll(async () => (await usage(account)).pictures).toBe(0);
  });

  test('is not bypassed by deleting codes with logos, and a restored code keeps its logo', async () => {
    const account = await accountWith(1);
    const logo = 'https://pictures.example/a.png';
    const body = { type: 'link', data: 'https://example.com/menu', logo, logosize: 10 };
    const added = (await account.request('POST', '/api/qr/add', { body })).body;
    const { pictures } = await usage(account);
    await send(account, 1_000_000 - pictures);
    await account.request('DELETE', `/api/qr/${added.id}/delete`);
    expect((await usage(account)).pictures).toBe(pictures);
    expect((await account.request('POST', '/api/qr/add', { body })).body.code).toBe('storage_full');

    const restored = await account.request('POST', `/api/qr/${added.id}/restore`);
    expect([restored.status, (await usage(account)).pictures]).toEqual([200, pictures]);
    expect(findStorageFaults(server.databases.main)).toEqual([]);
  });
});

describe('a plan', () => {
  test('without a storage limit accepts everything', async () => {
    const account = await accountWith(-1);
    expect((await send(account, 2_000_000)).status).toBe(200);
    expect(await usage(account)).toEqual({ files: 2_000_000, pictures: 0, limit: null });
  });

  test('from before there was such a limit has none', async () => {
    const { data } = await server.call(addPlan, { body: { name: randomUUID(), limits: { files: 5 } } });
    server.databases.main
      .prepare("UPDATE plans SET limits = json_remove(limits, '$.megabytes') WHERE id = ?")
      .run(data.id);
    const plans = (await server.call(listPlans)).data;
    expect(plans.find(({ id }) => id === data.id)?.limits).toEqual({
      links: -1,
      clicks: -1,
      retention: -1,
      files: 5,
      megabytes: -1,
    });
  });

  test('with a reduced limit keeps what is stored, and accepts what reduces it', async () => {
    const account = await accountWith(3);
    const { id, shorturl } = (await send(account, 1_500_000)).body;
    const plan = server.databases.main
      .prepare<[number], number>('SELECT plan_id FROM users WHERE id = ?')
      .pluck()
      .get(account.id);
    await server.call(updatePlan, { params: { id: plan as number }, body: { limits: { megabytes: 1 } } });
    expect((await send(account, 1)).body).toMatchObject({
      code: 'storage_full',
      message: full('1.5 MB', '1 MB'),
    });
    expect((await (await fetch(shorturl)).arrayBuffer()).byteLength).toBe(1_500_000);
    const renamed = await account.request('PUT', `/api/file/${id}/update`, { body: { name: 'still mine' } });
    expect(renamed.status).toBe(200);
  });
});

test('the count survives a restart, and a deleted account takes its count along', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-quota-'));
  const before = await startApp({ folder });
  const other = secondAccount(before, 'other');
  const raw = (size: number) => ({ key: other.key, rawBody: Buffer.alloc(size, 'x') });
  await before.request('POST', uploadPath('a.bin'), raw(1234));
  await before.close();
  const after = await startApp({ folder });
  expect((await after.request('GET', '/api/files/storage', { key: other.key })).body.data.files).toBe(1234);
  await after.request('DELETE', `/api/user/${other.id}/delete`);
  const rows = () =>
    after.databases.main.prepare('SELECT * FROM stored_bytes WHERE user_id = ?').all(other.id);
  await expect.poll(rows).toEqual([]);
  expect(findStorageFaults(after.databases.main)).toEqual([]);
  await after.close();
  rmSync(folder, { recursive: true, force: true });
});
