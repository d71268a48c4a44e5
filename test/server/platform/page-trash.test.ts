import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pictureQueries } from '../../../server/content/pictures/queries.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { trashJob } from '../../../server/platform/trash/job.ts';
import { trashQueries } from '../../../server/platform/trash/queries.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, type SecondAccount, secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
let other: SecondAccount;
beforeAll(async () => {
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  server = await startApp({ fetcher: { get: async () => ({ body: picture, type: 'image/png' }) } });
  other = secondAccount(server);
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body: unknown = {}) => server.request('POST', path, { body });
const remove = async (path: string) => {
  expect((await server.request('DELETE', `${path}/delete`)).status).toBe(200);
};
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const restore = async (path: string) => {
  const reply = await post(`${path}/restore`);
  expect(reply.body).toMatchObject({ error: 0, message: expect.stringContaining('was restored') });
  return reply.body;
};
const pathOf = (link: string) => new URL(link).pathname;
const typeOf = async (link: number) => (await get(`/api/url/${link}`)).body.details.type as string;
const newLink = async (fields: object) =>
  (await post('/api/url/add', { url: 'https://example.com/', ...fields })).body as {
    id: number;
    shorturl: string;
  };
const count = (sql: string) => server.databases.main.prepare<[], number>(sql).pluck().get();
const thirtyDays = 30 * 86_400_000;

/** What the hourly job does. */
async function sweep(): Promise<void> {
  const { main } = server.databases;
  const queries = trashQueries(main);
  const job = trashJob({
    queries,
    transactions: transactions(main),
    pictures: pictureQueries(main),
    clock: { isTrusted: () => true },
    now: server.clock.now,
  });
  await job.run(new AbortController().signal);
}

/** Makes a webhook that would hear of every answer and message, and writes down what it is told from now on. */
async function listen(): Promise<() => string[]> {
  const { main } = server.databases;
  const made = await post('/api/webhook/add', { url: 'https://hook.example.com/', events: ['*'] });
  expect(made.body.error).toBe(0);
  main.exec(
    `DROP TABLE IF EXISTS heard;
     CREATE TABLE heard (type TEXT);
     CREATE TRIGGER heard_of AFTER INSERT ON webhook_events BEGIN INSERT INTO heard VALUES (new.type); END;`,
  );
  return () => {
    const types = main.prepare<[], string>('SELECT type FROM heard').pluck().all();
    return types.filter((type) => ['overlay.answer', 'bio.message'].includes(type));
  };
}
afterEach(() => {
  server.databases.main.exec('DROP TRIGGER IF EXISTS heard_of; DELETE FROM webhooks;');
});

describe('a deleted overlay', () => {
  async function poll(): Promise<{ id: number; path: string }> {
    const content = { question: 'Which?', answers: ['One', 'Two'] };
    const { id } = (await post('/api/overlay/add', { name: 'Poll', type: 'poll', content })).body;
    for (const [index, answer] of ['One', 'Two', 'One'].entries()) {
      const headers = { 'User-Agent': `Firefox/${index}` };
      const sent = await visit(server, `/o/${id}`, {
        method: 'POST',
        headers,
        body: form({ answer, back: '/' }),
      });
      expect(sent.status).toBe(200);
    }
    return { id, path: `/api/overlay/${id}` };
  }

  test('is restored with its responses and on its links, without reporting a response twice', async () => {
    const { id, path } = await poll();
    const used = await newLink({ type: `overlay-${id}` });
    const trashed = await newLink({ type: `overlay-${id}` });
    await remove(`/api/url/${trashed.id}`);
    const before = (await get(path)).body.data;
    const answers = (await get(`${path}/answers`)).body.data;
    const exported = (await get(`${path}/export`)).body.data;
    expect(before).toMatchObject({ links: 1, answers: 3 });

    await remove(path);
    expect((await get(path)).status).toBe(404);
    expect((await get(`${path}/answers`)).status).toBe(404);
    expect(await typeOf(used.id)).toBe('direct');
    expect((await visit(server, pathOf(used.shorturl))).status).toBe(302);
    const late = await visit(server, `/o/${id}`, {
      method: 'POST',
      body: form({ answer: 'One', back: '/' }),
    });
    expect(late.status).toBe(404);

    const heard = await listen();
    await restore(path);
    expect(heard()).toEqual([]);
    expect((await get(path)).body.data).toEqual({ ...before, version: before.version + 1 });
    expect((await get(`${path}/answers`)).body.data).toEqual(answers);
    expect((await get(`${path}/export`)).body.data).toEqual(exported);
    expect(await typeOf(used.id)).toBe(`overlay-${id}`);
    expect((await visit(server, pathOf(used.shorturl))).body).toContain('Which?');
    await post('/api/urls/bulk', { ids: [trashed.id], action: 'restore' });
    expect(await typeOf(trashed.id)).toBe(`overlay-${id}`);
    const again = await visit(server, `/o/${id}`, {
      method: 'POST',
      headers: { 'User-Agent': 'Firefox/9' },
      body: form({ answer: 'Two', back: '/' }),
    });
    expect(again.status).toBe(200);
    expect(heard()).toEqual(['overlay.answer']);
  });

  test('is not restored on links that have another type by now', async () => {
    const { id, path } = await poll();
    const link = await newLink({ type: `overlay-${id}` });
    await remove(path);
    await server.request('PUT', `/api/url/${link.id}/update`, { body: { type: 'frame' } });
    await restore(path);
    expect(await typeOf(link.id)).toBe('frame');
  });

  test('cannot be restored by others, twice, or after 30 days', async () => {
    const { id, path } = await poll();
    expect((await post(`${path}/restore`)).status).toBe(404);
    await remove(path);
    expect((await other.request('POST', `${path}/restore`)).status).toBe(404);
    await restore(path);
    expect((await post(`${path}/restore`)).status).toBe(404);
    await remove(path);
    server.clock.advance(thirtyDays + 1);
    expect((await post(`${path}/restore`)).body).toMatchObject({
      code: 'not_found',
      message: 'Overlay was not found.',
    });
    expect(id).toBeGreaterThan(0);
  });

  test('requires room in the plan', async () => {
    const limited = secondAccount(server, 'limited', 1);
    const allow = (count: number) =>
      server.databases.main
        .prepare(
          `UPDATE plans SET features = json_set(features, '$.overlay', json('{"enabled":true,"count":${count}}')) WHERE id = 1`,
        )
        .run();
    allow(1);
    const body = { name: 'One', type: 'message', content: { text: 'Hello' } };
    const first = (await limited.request('POST', '/api/overlay/add', { body })).body.id;
    await limited.request('DELETE', `/api/overlay/${first}/delete`);
    await limited.request('POST', '/api/overlay/add', { body });
    const refused = await limited.request('POST', `/api/overlay/${first}/restore`);
    expect([refused.status, refused.body.code]).toEqual([403, 'plan_required']);
    allow(2);
    expect((await limited.request('POST', `/api/overlay/${first}/restore`)).status).toBe(200);
  });
});

describe('the pictures of a deleted splash page', () => {
  const fields = {
    name: 'Launch',
    title: 'Hello',
    avatar: 'https://img.example.com/avatar.png',
    banner: 'https://img.example.com/banner.png',
  };

  test('are not served while it is deleted, and restored with it', async () => {
    const { id } = (await post('/api/splash/add', fields)).body;
    const link = await newLink({ type: String(id) });
    const shown = (await visit(server, pathOf(link.shorturl))).body;
    const addresses = [...shown.matchAll(/\/img\/[0-9a-f]{32}/g)].map(([address]) => address);
    expect(new Set(addresses).size).toBe(2);
    const before = (await get(`/api/splash/${id}`)).body.data;

    await remove(`/api/splash/${id}`);
    for (const address of addresses) expect((await visit(server, address)).status).toBe(404);
    // Another page is changed meanwhile, which sweeps pictures.
    await post('/api/splash/add', { name: 'Other' });
    await restore(`/api/splash/${id}`);
    expect((await get(`/api/splash/${id}`)).body.data).toEqual({ ...before, version: before.version + 1 });
    expect((await visit(server, pathOf(link.shorturl))).body).toContain(addresses[0]);
    for (const address of addresses) expect((await visit(server, address)).status).toBe(200);
    await remove(`/api/splash/${id}`);
  });

  test('are kept for 30 days, and then removed', async () => {
    const ofIt = `SELECT count(*) FROM page_pictures WHERE url LIKE '%only-here%'`;
    const { id } = (
      await post('/api/splash/add', { ...fields, avatar: 'https://img.example.com/only-here.png' })
    ).body;
    await remove(`/api/splash/${id}`);
    expect(count(ofIt)).toBe(1);
    server.clock.advance(thirtyDays - 1000);
    await sweep();
    expect(count(ofIt)).toBe(1);
    server.clock.advance(2000);
    await sweep();
    expect(count(ofIt)).toBe(0);
    expect(count('SELECT count(*) FROM removals')).toBe(0);
  });

  test('are shown again by another page with the same URL', async () => {
    const { id } = (await post('/api/splash/add', fields)).body;
    await remove(`/api/splash/${id}`);
    const second = (await post('/api/splash/add', { name: 'Second', avatar: fields.avatar })).body.id;
    const link = await newLink({ type: String(second) });
    const [address] = /\/img\/[0-9a-f]{32}/.exec((await visit(server, pathOf(link.shorturl))).body) ?? [];
    expect((await visit(server, address as string)).status).toBe(200);
  });
});

describe('a deleted bio page', () => {
  async function page(alias: string, more: object = {}) {
    const blocks = [
      {
        type: 'link',
        title: 'Shop',
        url: 'https://shop.example.com',
        image: 'https://img.example.com/shop.png',
      },
      { type: 'contact', title: 'Write' },
    ];
    const body = { name: 'Anna', alias, avatar: 'https://img.example.com/anna.png', blocks, ...more };
    const { id, link } = (await post('/api/bio/add', body)).body;
    await visit(server, pathOf(link));
    await visit(server, `/bio/${id}/1`);
    const message = { name: 'Carl', email: 'carl@example.com', message: 'Hello' };
    await visit(server, `/bio/${id}/2`, { method: 'POST', body: form(message) });
    return { id: id as number, link: link as string, path: `/api/bio/${id}` };
  }

  test('is restored with its address, statistics, messages, channels and domains', async () => {
    const { id, link, path } = await page('anna');
    const domain = addDomain(server, 'anna.example.com', 1);
    const channel = (await post('/api/channel/add', { name: 'Social' })).body.id;
    await post(`/api/channel/${channel}/assign/bio/${id}`);
    server.databases.main
      .prepare('UPDATE domains SET bio_id = ?, redirect_root = ? WHERE id = ?')
      .run(id, 'https://example.com/root', domain);
    const seen = async () => ({
      page: (await get(path)).body.data,
      messages: (await get(`${path}/messages`)).body.data,
      stats: (await get(`${path}/stats?period=7d`)).body.data,
      channel: (await get(`/api/channel/${channel}`)).body.data,
      front: (await visit(server, '/', { headers: { Host: 'anna.example.com' } })).status,
    });
    const before = await seen();
    expect(before).toMatchObject({
      page: { views: 1, clicks: 2, uniqueviews: 1 },
      messages: { result: 1 },
      channel: { result: 1 },
      front: 200,
    });

    await remove(path);
    for (const gone of [path, `${path}/messages`, `${path}/stats`])
      expect((await get(gone)).status).toBe(404);
    expect((await visit(server, pathOf(link))).status).toBe(404);
    expect((await visit(server, `/bio/${id}/1`)).status).toBe(404);
    expect((await get(`/api/channel/${channel}`)).body.data.result).toBe(0);

    const heard = await listen();
    expect(await restore(path)).toMatchObject({ id, link });
    expect(heard()).toEqual([]);
    const after = await seen();
    // A view of the domain's front was counted in between.
    expect({ ...after, page: before.page, stats: before.stats }).toEqual(before);
    const version = before.page.version + 1;
    expect(after.page).toMatchObject({ ...before.page, version, views: 2, uniqueviews: expect.any(Number) });
    const shown = (await visit(server, pathOf(link))).body;
    for (const [address] of shown.matchAll(/\/img\/[0-9a-f]{32}/g)) {
      expect((await visit(server, address)).status).toBe(200);
    }
  });

  test('is not restored while its alias is taken, and does not affect a domain that leads elsewhere by now', async () => {
    const domain = addDomain(server, 'moved.example.com', 1);
    const { id, path } = await page('wanted');
    server.databases.main.prepare('UPDATE domains SET bio_id = ? WHERE id = ?').run(id, domain);
    await remove(path);
    const rival = await newLink({ custom: 'wanted' });
    server.databases.main
      .prepare('UPDATE domains SET redirect_root = ? WHERE id = ?')
      .run('https://example.com/new', domain);
    const refused = await post(`${path}/restore`);
    expect([refused.status, refused.body.code]).toEqual([400, 'alias_taken']);
    expect((await get(path)).status).toBe(404);
    await remove(`/api/url/${rival.id}`);
    await restore(path);
    const front = await visit(server, '/', { headers: { Host: 'moved.example.com' } });
    expect(front.location).toBe('https://example.com/new');
  });

  test('is restored without a domain and a channel that are gone, and new blocks get new ids', async () => {
    const domain = addDomain(server, 'gone.example.com', 1);
    const { id, path } = await page('homeless', { domain });
    const channel = (await post('/api/channel/add', { name: 'Passing' })).body.id;
    await post(`/api/channel/${channel}/assign/bio/${id}`);
    await remove(path);
    await remove(`/api/channel/${channel}`);
    server.databases.main.prepare('DELETE FROM domains WHERE id = ?').run(domain);
    expect((await restore(path)).link).toBe(`${server.origin}/homeless`);
    const blocks = [{ type: 'divider' }];
    const changed = await server.request('PUT', `${path}/update`, { body: { blocks } });
    expect(changed.body.data.blocks[0].id).toBe(3);
  });
});

describe('a deleted QR code', () => {
  test('is restored with its address, style, scans, link and channels', async () => {
    const logo = `data:image/png;base64,${(
      await sharp({ create: { width: 60, height: 60, channels: 3, background: '#e11d48' } })
        .png()
        .toBuffer()
    ).toString('base64')}`;
    const target = await newLink({ title: 'Menu' });
    const body = { type: 'link', data: { link: target.id }, custom: 'menu', logo, modules: 'dots' };
    const { id, link } = (await post('/api/qr/add', body)).body;
    const path = `/api/qr/${id}`;
    const channel = (await post('/api/channel/add', { name: 'Print' })).body.id;
    await post(`/api/channel/${channel}/assign/qr/${id}`);
    for (const agent of ['windows', 'iphone'] as const) await visit(server, pathOf(link), { agent });
    const before = (await get(path)).body.data;
    expect(before.scans).toBe(2);
    const picture = await fetch(`${link}.png`).then((reply) => reply.arrayBuffer());

    await remove(path);
    expect((await get(path)).status).toBe(404);
    expect((await visit(server, pathOf(link))).status).toBe(404);
    expect((await fetch(`${link}.png`)).status).toBe(404);
    expect((await get(`/api/channel/${channel}`)).body.data.result).toBe(0);

    expect(await restore(path)).toMatchObject({ id, link });
    expect((await get(path)).body.data).toEqual({ ...before, version: before.version + 1 });
    expect(await fetch(`${link}.png`).then((reply) => reply.arrayBuffer())).toEqual(picture);
    expect((await get(`/api/channel/${channel}`)).body.data.items).toMatchObject([{ type: 'qr', id }]);
    expect((await visit(server, pathOf(link))).location).toBe('https://example.com/');
    expect((await get(path)).body.data.scans).toBe(3);
  });

  test('is not restored while its alias is taken, and never by others', async () => {
    const body = { type: 'text', data: 'Hello', custom: 'hello' };
    const { id } = (await post('/api/qr/add', body)).body;
    const path = `/api/qr/${id}`;
    await remove(path);
    expect((await other.request('POST', `${path}/restore`)).status).toBe(404);
    const rival = (await post('/api/qr/add', body)).body.id;
    const refused = await post(`${path}/restore`);
    expect([refused.status, refused.body.code]).toEqual([400, 'alias_taken']);
    await remove(`/api/qr/${rival}`);
    await restore(path);
  });

  test('is restored without a link that is gone permanently', async () => {
    const target = await newLink({});
    const body = { type: 'link', data: { link: target.id } };
    const { id } = (await post('/api/qr/add', body)).body;
    await remove(`/api/qr/${id}`);
    await server.request('DELETE', `/api/url/${target.id}/delete?force=1`);
    await restore(`/api/qr/${id}`);
    expect((await get(`/api/qr/${id}`)).body.data.data).toEqual({ url: null, link: null });
  });
});

test('the instance announces that it can restore pages and codes', async () => {
  expect((await get('/api/meta')).body.data.features).toContain('restore-pages');
});
