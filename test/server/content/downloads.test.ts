import { truncateSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { downloadType } from '../../../server/content/files/names.ts';
import { readRange } from '../../../server/content/files/ranges.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { rawExchange, storedContents, upload } from '../../support/uploads.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000, trustedProxies: ['127.0.0.1'] });
});
beforeEach(() => server.clock.advance(3_600_000));
afterAll(() => server.close());

const fileOf = async (id: number) => (await server.request('GET', `/api/file/${id}`)).body.data;

describe('a download', () => {
  test('is an attachment that no browser opens, sniffs, frames or embeds (T-17)', async () => {
    const { shorturl } = await upload(server, '<script>alert(1)</script>', {}, 'page.html');
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await fetch(shorturl, { method });
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="page.html"; filename*=UTF-8''page.html`,
        'content-length': '25',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  test.each([
    ['a.PNG', 'image/png'],
    ['a.zip', 'application/zip'],
    ['a.html', 'application/octet-stream'],
    ['a.svg', 'application/octet-stream'],
    ['a.pdf', 'application/octet-stream'],
    ['a.js', 'application/octet-stream'],
    ['png', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
  ])('of %s says %s', (name, type) => {
    expect(downloadType(name)).toBe(type);
  });

  test("is counted once per GET, and not for HEAD, ranges and the file's page", async () => {
    const { id, shorturl } = await upload(server, '0123456789');
    await fetch(shorturl, { method: 'HEAD' });
    await (await fetch(shorturl, { headers: { range: 'bytes=2-4' } })).text();
    await (await fetch(`${shorturl}+`)).text();
    expect((await fileOf(id)).downloads).toBe(0);
    await (await fetch(shorturl)).text();
    await (await fetch(`${shorturl}?anything`)).text();
    expect((await fileOf(id)).downloads).toBe(2);
  });

  test('can be resumed', async () => {
    const { shorturl } = await upload(server, '0123456789');
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await fetch(shorturl, { headers: { range, ...more } });
      return [response.status, response.headers.get('content-range'), await response.text()];
    };
    const whole = await fetch(shorturl);
    const tag = whole.headers.get('etag') ?? '';
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=7-99', { 'if-range': tag })).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=7-', { 'if-range': '"another"' })).toEqual([200, null, '0123456789']);
    expect(await part('bytes=10-')).toEqual([416, 'bytes */10', '']);
    expect(await part('bytes=0-1,4-5')).toEqual([200, null, '0123456789']);
    expect(await part('lines=1-2')).toEqual([200, null, '0123456789']);
  });

  test.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=a-b', undefined],
    ['bytes=1e1-', undefined],
    [`bytes=${'9'.repeat(30)}-`, undefined],
    [undefined, undefined],
  ])('reads the range %j of ten bytes as %j', (header, range) => {
    expect(readRange(header, 10)).toEqual(range);
  });

  test('accepts only GET and HEAD', async () => {
    const { shorturl } = await upload(server, 'x');
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await fetch(shorturl, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
    }
  });

  test('with lost content says so, counts nothing and is logged', async () => {
    const lost = await startApp();
    const { id, shorturl } = await upload(lost, 'content', { maxdownloads: '1' });
    const [name = ''] = storedContents(lost).finished;
    truncateSync(join(lost.folder, 'files', name), 3);
    expect((await fetch(shorturl)).status).toBe(503);
    expect((await lost.request('GET', `/api/file/${id}`)).body.data.downloads).toBe(0);
    expect(lost.logLines().join('')).toContain('a download failed');
    await lost.close();
  });

  test('a visitor who disconnects halfway harms nobody', async () => {
    const { shorturl } = await upload(server, Buffer.alloc(20_000_000), {}, 'large.bin');
    for (let round = 0; round < 20; round += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(server.port, '127.0.0.1');
        const path = new URL(shorturl).pathname;
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`);
        socket.once('data', () => socket.resetAndDestroy());
        socket.on('close', () => resolve()).on('error', () => {});
      });
    }
    expect((await (await fetch(shorturl)).arrayBuffer()).byteLength).toBe(20_000_000);
    expect(server.logLines().filter((line) => line.includes('a download failed'))).toEqual([]);
  });
});

describe('a download limit (T-21)', () => {
  test('of five allows exactly five of two hundred simultaneous downloads', async () => {
    const { id, shorturl } = await upload(server, 'five of these', { maxdownloads: '5' });
    const replies = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const response = await fetch(shorturl);
        return { status: response.status, text: await response.text() };
      }),
    );
    const taken = replies.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(5);
    for (const { text } of taken) expect(text).toBe('five of these');
    expect(replies.filter(({ status }) => status === 410)).toHaveLength(195);
    expect(await fileOf(id)).toMatchObject({ downloads: 5, state: 'exhausted' });
    expect((await fetch(shorturl, { method: 'HEAD' })).status).toBe(410);
  });

  test('cannot be bypassed with ranges or HEAD', async () => {
    const { id, shorturl } = await upload(server, '0123456789', { maxdownloads: '1' });
    const head = await fetch(shorturl, { method: 'HEAD' });
    expect([head.status, head.headers.get('accept-ranges')]).toEqual([200, 'none']);
    const first = await fetch(shorturl, { headers: { range: 'bytes=0-4' } });
    expect([first.status, await first.text()]).toEqual([200, '0123456789']);
    expect((await fetch(shorturl, { headers: { range: 'bytes=5-9' } })).status).toBe(410);
    expect((await fileOf(id)).downloads).toBe(1);
  });

  test('that is raised or removed reopens the file', async () => {
    const { id, shorturl } = await upload(server, 'x', { maxdownloads: '1' });
    await fetch(shorturl);
    expect((await fetch(shorturl)).status).toBe(410);
    await server.request('PUT', `/api/file/${id}/update`, { body: { maxdownloads: 2 } });
    expect((await fetch(shorturl)).status).toBe(200);
    expect((await fetch(shorturl)).status).toBe(410);
    await server.request('PUT', `/api/file/${id}/update`, { body: { maxdownloads: null } });
    expect((await fetch(shorturl)).status).toBe(200);
  });
});

describe('an expiry', () => {
  test.each([
    ['UTC', '2027-01-15T23:59:59.999Z'],
    ['Pacific/Kiritimati', '2027-01-15T09:59:59.999Z'],
    ['America/Los_Angeles', '2027-01-16T07:59:59.999Z'],
    ['Asia/Kolkata', '2027-01-15T18:29:59.999Z'],
  ])('is the end of that day in %s', async (timezone, last) => {
    const clock = testClock(Date.UTC(2027, 0, 15, 8));
    const local = await startApp({ clock, timezone });
    const { id, shorturl } = await upload(local, 'x', { expiry: '2027-01-15' });
    clock.jump(Date.parse(last) - clock.now());
    expect((await fetch(shorturl)).status).toBe(200);
    clock.jump(1);
    const response = await fetch(shorturl);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      410,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('no longer available');
    const { data } = (await local.request('GET', `/api/file/${id}`)).body;
    expect(data).toMatchObject({ expiry: '2027-01-15', state: 'expired' });
    await local.close();
  });
});

describe('a password', () => {
  const form = (url: string, password: string, more: RequestInit = {}) =>
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      ...more,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...(more.headers as object) },
      body: new URLSearchParams({ password }).toString(),
    });
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

  test('is asked for on a page, and remembered for ten minutes for that path only', async () => {
    const { id, shorturl } = await upload(server, 'behind it', { password: 'open sesame' });
    const path = new URL(shorturl).pathname;
    const page = await fetch(shorturl);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(/sandbox allow-forms allow-downloads$/);
    expect(page.headers.get('content-disposition')).toBeNull();
    expect(await page.text()).toContain('This file is protected');

    const wrong = await form(shorturl, 'wrong');
    expect([wrong.status, await wrong.text()]).toEqual([403, expect.stringContaining('Wrong password')]);

    const right = await form(shorturl, 'open sesame');
    expect([right.status, right.headers.get('location')]).toEqual([303, path]);
    const cookie = right.headers.get('set-cookie') ?? '';
    expect(cookie).toContain(`; Path=${path}; Max-Age=600; HttpOnly; SameSite=Lax`);
    const pass = { headers: { cookie: cookie.split(';')[0] ?? '' } };
    expect(await (await fetch(shorturl, pass)).text()).toBe('behind it');
    expect((await fileOf(id)).downloads).toBe(1);

    const other = await upload(server, 'another', { password: 'open sesame' });
    expect((await fetch(other.shorturl, pass)).headers.get('content-disposition')).toBeNull();
    server.clock.advance(601_000);
    expect((await fetch(shorturl, pass)).headers.get('content-disposition')).toBeNull();
  });

  test('that is changed locks out those who knew the old one', async () => {
    const { id, shorturl } = await upload(server, 'x', { password: 'old' });
    const cookie = (await form(shorturl, 'old')).headers.get('set-cookie')?.split(';')[0] ?? '';
    await server.request('PUT', `/api/file/${id}/update`, { body: { password: 'new' } });
    expect((await fetch(shorturl, { headers: { cookie } })).headers.get('content-disposition')).toBeNull();
    expect((await form(shorturl, 'old')).status).toBe(403);
    expect((await form(shorturl, 'new')).status).toBe(303);
  });

  test('wrong ten times blocks the address for 15 minutes, even with the right one', async () => {
    const { shorturl } = await upload(server, 'x', { password: 'right' });
    for (let round = 0; round < 10; round += 1) {
      expect((await form(shorturl, 'wrong', from('198.51.100.7'))).status).toBe(403);
    }
    const blocked = await form(shorturl, 'right', from('198.51.100.7'));
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '900']);
    expect((await form(shorturl, 'right', from('198.51.100.8'))).status).toBe(303);
    server.clock.advance(900_001);
    expect((await form(shorturl, 'right', from('198.51.100.7'))).status).toBe(303);
  });

  test('wrong a hundred times from everywhere closes the form for the rest of the hour', async () => {
    const { shorturl } = await upload(server, 'x', { password: 'right' });
    for (let round = 0; round < 100; round += 1) {
      await form(shorturl, 'wrong', from(`203.0.113.${round}`));
    }
    const blocked = await form(shorturl, 'right', from('192.0.2.1'));
    expect([blocked.status, Number(blocked.headers.get('retry-after'))]).toEqual([429, 3600]);
    server.clock.advance(3_600_001);
    expect((await form(shorturl, 'right', from('192.0.2.1'))).status).toBe(303);
  });

  test('is in no reply, list or log', async () => {
    await upload(server, 'x', { password: 'PLANTED-SECRET', name: 'Planted' });
    const { body } = await server.request('GET', '/api/files?name=planted');
    expect(body.list[0].protected).toBe(true);
    expect(JSON.stringify(body)).not.toMatch(/PLANTED-SECRET|scrypt/);
    expect(server.logLines().join('')).not.toContain('PLANTED-SECRET');
  });

  test("a form's size is limited", async () => {
    const { shorturl } = await upload(server, 'x', { password: 'right' });
    expect((await form(shorturl, 'x'.repeat(50_000))).status).toBe(413);
  });
});

describe("a file's page", () => {
  test('shows name and size, escaped, and nothing of a protected file', async () => {
    const open = await upload(server, 'x'.repeat(1500), {}, '<b>bold&.txt');
    const page = await fetch(`${open.shorturl}+`);
    expect(page.headers.get('content-security-policy')).toMatch(/sandbox allow-downloads$/);
    const text = await page.text();
    expect(text).toContain('_b_bold&amp;.txt');
    expect(text).toContain('1.5 kB');
    const closed = await upload(server, 'x', { password: 'p' }, 'hidden name.txt');
    expect(await (await fetch(`${closed.shorturl}+`)).text()).not.toContain('hidden name');
  });
});

test('a file and a link cannot have the same address', async () => {
  await upload(server, 'x', { custom: 'shared-name' });
  const link = await server.request('POST', '/api/url/add', {
    body: { url: 'https://example.com/', custom: 'shared-name' },
  });
  expect([link.status, link.body.code]).toEqual([400, 'alias_taken']);
});

test('a header cannot be split by a file name', async () => {
  const path = '/api/files/upload/a%0d%0aX-Injected:%20yes.txt';
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ${server.key}\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx`;
  const { text } = await rawExchange(server.port, [head]);
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).not.toContain('X-Injected');
});
