import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetcher } from '../../../server/platform/fetcher/fetcher.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

interface Arrived {
  headers: IncomingMessage['headers'];
  body: string;
}

let server: TestApp;
let arrived: Arrived[] = [];
/** What the receiver answers next. */
let status = 200;
let address = '';
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  arrived.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
  response.writeHead(status, status === 302 ? { location: `${address}/elsewhere` } : {}).end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => void receiver.close());
beforeEach(async () => {
  arrived = [];
  status = 200;
  // The guarded fetcher itself, with this machine allowed.
  server = await startApp({ fetcher: fetcher({ allowedRanges: () => ['127.0.0.1/32'] }) });
});
afterEach(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body?: unknown) => server.request('POST', path, { body });

async function make(events: string[], more: object = {}): Promise<{ id: number; secret: string }> {
  const reply = await post('/api/webhook/add', { url: `${address}/hook`, events, ...more });
  expect(reply.status).toBe(200);
  return reply.body.data;
}
const types = () => arrived.map(({ body }) => JSON.parse(body).type);
const logOf = async (id: number) => (await get(`/api/webhook/${id}/deliveries`)).body.data.deliveries;

describe('a webhook', () => {
  test('is created with a secret that is shown once, listed, updated and deleted', async () => {
    const reply = await post('/api/webhook/add', { url: `${address}/hook`, events: ['link.created'] });
    expect(reply.body).toEqual({
      error: 0,
      id: expect.any(Number),
      message: expect.any(String),
      data: {
        id: reply.body.id,
        url: `${address}/hook`,
        events: ['link.created'],
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    const listed = (await get('/api/webhooks')).body.data;
    expect(listed).toMatchObject({ result: 1, perpage: 15, nextpage: null });
    expect(listed.webhooks).toEqual([
      {
        id: reply.body.id,
        url: `${address}/hook`,
        events: ['link.created'],
        enabled: true,
        stopped: null,
        failingsince: null,
        date: expect.any(String),
        version: 1,
      },
    ]);
    expect(JSON.stringify(listed)).not.toContain('whsec_');
    const path = `/api/webhook/${reply.body.id}`;
    const changed = await server.request('PUT', `${path}/update`, {
      body: { events: ['*'], enabled: false },
    });
    expect(changed.body).toEqual({ error: 0, message: expect.any(String), version: 2 });
    expect((await get(path)).body.data).toMatchObject({ events: ['*'], enabled: false });
    expect((await server.request('DELETE', `${path}/delete`)).status).toBe(200);
    expect((await get(path)).status).toBe(404);
  });

  test.each([
    [{ url: 'javascript:alert(1)', events: ['*'] }, 'url'],
    [{ url: 'https://user:word@x.example', events: ['*'] }, 'url'],
    [{ events: ['*'] }, 'url'],
    [{ url: 'https://x.example', events: [] }, 'events'],
    [{ url: 'https://x.example', events: ['link.exploded'] }, 'events'],
    [{ url: 'https://x.example', events: 'link.created' }, 'events'],
    [{ url: 'https://x.example', events: ['*'], secret: 'short' }, 'secret'],
    [{ url: 'https://x.example', events: ['*'], secret: 'whsec_not base64, not at all!' }, 'secret'],
  ])('is refused as %j', async (body, field) => {
    const reply = await post('/api/webhook/add', body);
    expect(reply.status).toBe(400);
    expect(reply.body.field ?? reply.body.errors[0].field).toMatch(new RegExp(`^${field}`));
    expect((await get('/api/webhooks')).body.data.result).toBe(0);
  });

  test('is visible to its owner only', async () => {
    const { id } = await make(['*']);
    const other = await secondAccount(server);
    for (const [method, path] of [
      ['GET', `/api/webhook/${id}`],
      ['PUT', `/api/webhook/${id}/update`],
      ['DELETE', `/api/webhook/${id}/delete`],
      ['POST', `/api/webhook/${id}/test`],
      ['GET', `/api/webhook/${id}/deliveries`],
    ] as const) {
      const body = method === 'PUT' ? { enabled: false } : undefined;
      const reply = await server.request(method, path, { key: other.key, ...(body && { body }) });
      expect([path, reply.status]).toEqual([path, 404]);
    }
    expect(arrived).toEqual([]);
  });
});

describe('a message', () => {
  test('is signed as in Standard Webhooks, with a given secret too', async () => {
    for (const secret of [undefined, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'a-plain-secret-of-mine']) {
      arrived = [];
      const made = await make(['link.created'], secret ? { secret } : {});
      if (secret) expect(made.secret).toBe(secret);
      await post('/api/url/add', { url: 'https://example.com/signed' });
      await expect.poll(() => arrived.length).toBe(1);
      const [{ headers, body }] = arrived as [Arrived];
      const key = made.secret.startsWith('whsec_')
        ? Buffer.from(made.secret.slice(6), 'base64')
        : Buffer.from(made.secret);
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const expected = createHmac('sha256', key).update(signed).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${expected}`);
      expect(headers['webhook-id']).toMatch(/^msg_[\w-]{20,}$/);
      expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(server.clock.now() / 1000));
      expect(headers['content-type']).toBe('application/json');
      expect(JSON.parse(body)).toMatchObject({
        type: 'link.created',
        timestamp: new Date(server.clock.now()).toISOString(),
        data: {
          id: expect.any(Number),
          longurl: 'https://example.com/signed',
          shorturl: expect.stringMatching(/^http/),
        },
      });
      await server.request('DELETE', `/api/webhook/${made.id}/delete`);
    }
  });

  test('is sent for every change of a link, and for nothing else', async () => {
    const { id } = await make(['link.created', 'link.updated', 'link.deleted', 'link.restored']);
    const link = (await post('/api/url/add', { url: 'https://example.com/' })).body.id;
    await server.request('PUT', `/api/url/${link}/update`, { body: { title: 'New' } });
    await server.request('DELETE', `/api/url/${link}/delete`);
    await post('/api/urls/bulk', { ids: [link], action: 'restore' });
    await post('/api/campaign/add', { name: 'Unheard' });
    await expect.poll(types).toEqual(['link.created', 'link.updated', 'link.deleted', 'link.restored']);
    await expect
      .poll(async () => (await logOf(id)).every((one: { state: string }) => one.state === 'delivered'))
      .toBe(true);
  });

  test('is sent for clicks, and a click is not a change', async () => {
    await make(['link.clicked', 'link.updated']);
    const { shorturl, id } = (await post('/api/url/add', { url: 'https://example.com/' })).body;
    await visit(server, new URL(shorturl).pathname);
    await expect.poll(types).toEqual(['link.clicked']);
    expect(JSON.parse(arrived[0]?.body ?? '').data).toMatchObject({
      id,
      count: 1,
      longurl: 'https://example.com/',
    });
  });

  test('is sent for campaigns, channels and files', async () => {
    await make(['*']);
    const campaign = (await post('/api/campaign/add', { name: 'Spring' })).body.id;
    await server.request('DELETE', `/api/campaign/${campaign}/delete`);
    await post('/api/channel/add', { name: 'Mail' });
    await server.request('POST', '/api/files/upload/a.txt', {
      rawBody: 'content',
      headers: { 'content-type': 'application/octet-stream' },
    });
    await expect
      .poll(types)
      .toEqual(['campaign.created', 'campaign.deleted', 'channel.created', 'file.created']);
  });

  test('is not lost with a committed change, nor sent for one that was rolled back', async () => {
    await make(['*']);
    await post('/api/url/add', { url: 'https://example.com/', custom: 'same' });
    const refused = await post('/api/url/add', { url: 'https://example.com/', custom: 'same' });
    expect(refused.status).toBe(400);
    await expect.poll(types).toEqual(['link.created']);
  });

  test('is retried with increasing delays and the same id, until it arrives', async () => {
    const { id } = await make(['link.created']);
    status = 500;
    await post('/api/url/add', { url: 'https://example.com/' });
    await expect.poll(async () => (await logOf(id))[0]?.attempts).toBe(1);
    expect((await logOf(id))[0]).toMatchObject({
      state: 'waiting',
      status: 500,
      nextattempt: expect.any(String),
    });
    expect((await get(`/api/webhook/${id}`)).body.data.failingsince).toEqual(expect.any(String));
    server.app.startJobs();
    server.clock.advance(6_000);
    await expect.poll(async () => (await logOf(id))[0]?.attempts).toBe(2);
    status = 204;
    server.clock.advance(5 * 60_000 + 1_000);
    await expect.poll(async () => (await logOf(id))[0]?.state).toBe('delivered');
    expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await get(`/api/webhook/${id}`)).body.data.failingsince).toBe(null);
  });

  test('does not follow redirects', async () => {
    const { id } = await make(['link.created']);
    status = 302;
    await post('/api/url/add', { url: 'https://example.com/' });
    await expect.poll(async () => (await logOf(id))[0]?.status).toBe(302);
    expect(arrived).toHaveLength(1);
  });

  test('is the last one if the URL replies that it is gone', async () => {
    const { id } = await make(['link.created']);
    status = 410;
    await post('/api/url/add', { url: 'https://example.com/' });
    await expect.poll(async () => (await get(`/api/webhook/${id}`)).body.data.enabled).toBe(false);
    expect((await get(`/api/webhook/${id}`)).body.data.stopped).toBe('gone');
    expect((await logOf(id))[0].state).toBe('failed');
    await post('/api/url/add', { url: 'https://example.com/' });
    expect(arrived).toHaveLength(1);
  });

  test('is given up if the secret was encrypted with another key, with the reason', async () => {
    const { id } = await make(['link.created']);
    const { secret } = server.databases.main
      .prepare<[number], { secret: string }>('SELECT secret FROM webhooks WHERE id = ?')
      .get(id) as { secret: string };
    const other = `${secret.slice(0, -2)}${secret.endsWith('AA') ? 'BB' : 'AA'}`;
    server.databases.main.prepare('UPDATE webhooks SET secret = ? WHERE id = ?').run(other, id);
    expect(await post(`/api/webhook/${id}/test`)).toMatchObject({
      status: 400,
      body: { code: 'webhook_locked', field: 'secret' },
    });
    await post('/api/url/add', { url: 'https://example.com/' });
    await expect.poll(async () => (await get(`/api/webhook/${id}`)).body.data.stopped).toBe('locked');
    expect((await logOf(id))[0]).toMatchObject({ state: 'failed', attempts: 0 });
    expect(arrived).toEqual([]);
    // A new secret, and it works again.
    await server.request('PUT', `/api/webhook/${id}/update`, {
      body: { secret: 'a-plain-secret-of-mine', enabled: true },
    });
    expect((await get(`/api/webhook/${id}`)).body.data).toMatchObject({ enabled: true, stopped: null });
    await post('/api/url/add', { url: 'https://example.com/again' });
    await expect.poll(types).toEqual(['link.created']);
  });

  test('that cannot be recorded is not sent over and over', async () => {
    const { id } = await make(['link.created']);
    // As on a full disk: whatever is noted of an attempt is refused.
    server.databases.main.exec(`CREATE TRIGGER full_disk BEFORE UPDATE OF attempts ON webhook_deliveries
      BEGIN SELECT raise(ABORT, 'database or disk is full'); END`);
    await post('/api/url/add', { url: 'https://example.com/' });
    await expect.poll(() => server.logLines().join('')).toContain('could not be recorded');
    await post('/api/url/add', { url: 'https://example.com/other' });
    await expect.poll(() => arrived.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(arrived).toHaveLength(2);
    server.databases.main.exec('DROP TRIGGER full_disk');
    server.app.startJobs();
    server.clock.advance(6_000);
    await expect
      .poll(async () => (await logOf(id)).map(({ state }: { state: string }) => state))
      .toEqual(['delivered', 'delivered']);
    // The same ids again: the other side can tell.
    expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  test('without a reply does not delay shutdown, and arrives after the next start (F-16)', async () => {
    const held: ServerResponse[] = [];
    const silent = createServer((_request, response) => void held.push(response));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/hook`;
    const folder = mkdtempSync(join(tmpdir(), 'waypost-webhooks-'));
    const loopback = { fetcher: fetcher({ allowedRanges: () => ['127.0.0.1/32'] }), folder };
    try {
      const first = await startApp(loopback);
      const made = await first.request('POST', '/api/webhook/add', {
        body: { url, events: ['link.created'] },
      });
      await first.request('POST', '/api/url/add', { body: { url: 'https://example.com/' } });
      await expect.poll(() => held.length).toBe(1);
      // The attempt itself would last 15 seconds.
      await first.close();
      const second = await startApp(loopback);
      const log = await second.request('GET', `/api/webhook/${made.body.id}/deliveries`);
      expect(log.body.data.deliveries).toMatchObject([{ state: 'waiting', attempts: 0 }]);
      // Whatever happens next makes it look for what is due.
      await second.request('POST', '/api/url/add', { body: { url: 'https://example.com/next' } });
      await expect.poll(() => held.length).toBe(3);
      await second.close();
    } finally {
      for (const response of held) response.destroy();
      silent.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 14_000);

  test('can be resent manually', async () => {
    const { id } = await make(['link.created']);
    await post('/api/url/add', { url: 'https://example.com/' });
    await expect.poll(async () => (await logOf(id))[0]?.state).toBe('delivered');
    const [{ id: delivery, message }] = await logOf(id);
    expect((await post(`/api/webhook/${id}/redeliver/${delivery}`)).status).toBe(200);
    await expect.poll(() => arrived.length).toBe(2);
    expect(arrived.map(({ headers }) => headers['webhook-id'])).toEqual([message, message]);
    expect((await post(`/api/webhook/${id}/redeliver/999999`)).status).toBe(404);
  });
});

describe('testing a webhook', () => {
  test('reports the result', async () => {
    const { id } = await make(['domain.created']);
    const good = await post(`/api/webhook/${id}/test`);
    expect(good.body).toMatchObject({ error: 0, data: { delivered: true, status: 200 } });
    expect(types()).toEqual(['test']);
    status = 503;
    expect((await post(`/api/webhook/${id}/test`)).body.data).toMatchObject({
      delivered: false,
      status: 503,
    });
    expect(await logOf(id)).toMatchObject([{ state: 'failed' }, { state: 'delivered' }]);
  });

  test('reaches public addresses only (T-14)', async () => {
    const closed = await startApp({ fetcher: fetcher({ allowedRanges: () => [] }) });
    try {
      const made = await closed.request('POST', '/api/webhook/add', {
        body: { url: `${address}/hook`, events: ['*'] },
      });
      const tried = await closed.request('POST', `/api/webhook/${made.body.id}/test`);
      expect(tried.body.data).toMatchObject({ delivered: false, status: null });
      expect(arrived).toEqual([]);
    } finally {
      await closed.close();
    }
  });
});
