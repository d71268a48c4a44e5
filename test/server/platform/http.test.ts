import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeEach(async () => {
  server = await startApp();
});
afterEach(() => server.close());

/** Sends bytes as they are and returns everything that comes back until the server closes. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setTimeout(3000, () => socket.end());
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const get = (path: string, host: string, extra = '') =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.key}\r\n${extra}Connection: close\r\n\r\n`;

describe('every response below /api', () => {
  test('is 401 with one body for a missing, garbled, unknown and wrong-scheme key', async () => {
    const bodies = new Set<string>();
    const keys = [
      undefined,
      'Bearer',
      'Bearer  ',
      'Basic YTpi',
      'Bearer wp_unknown_key_0123456789',
      'Bearer a b',
    ];
    for (const authorization of keys) {
      const reply = await server.request('GET', '/api/account', {
        key: null,
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
      bodies.add(JSON.stringify(reply.body));
    }
    expect(bodies.size).toBe(1);
  });

  test('accepts the older scheme Token', async () => {
    const reply = await server.request('GET', '/api/account', {
      key: null,
      headers: { authorization: `Token ${server.key}` },
    });
    expect([reply.status, reply.body.error]).toEqual([200, 0]);
  });

  test('is 401 for two Authorization headers', async () => {
    const answer = await sendRaw(
      get('/api/account', `localhost:${server.port}`, 'Authorization: Bearer x\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1.1 401/);
  });

  test('has the three rate limit headers, whatever its status', async () => {
    const replies = [
      await server.request('GET', '/api/account'),
      await server.request('GET', '/api/account', { key: null }),
      await server.request('GET', '/api/nothing'),
      await server.request('PATCH', '/api/urls'),
      await server.request('POST', '/api/url/add', {
        rawBody: '{',
        headers: { 'content-type': 'application/json' },
      }),
      await server.request('POST', '/api/url/add', {
        rawBody: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
      await server.request('GET', '/api/meta', { key: null, headers: { origin: 'https://evil.example' } }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 401, 404, 405, 400, 415, 403]);
    for (const { headers } of replies) {
      expect(headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
      expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
      const reset = Number(headers.get('x-ratelimit-reset'));
      expect(reset).toBeGreaterThanOrEqual(server.clock.now() / 1000);
      expect(reset).toBeLessThanOrEqual(server.clock.now() / 1000 + 60);
    }
  });

  test('has them even if the parser refused the request', async () => {
    const answer = await sendRaw('GET /api/account HTTP/1.1\r\nbroken header\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(answer).toMatch(/x-ratelimit-limit: \d+/i);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: 1 });
  });

  test('is 431 for headers beyond 16 KB and 414 for a target beyond 8 KB', async () => {
    expect(
      await sendRaw(get('/api/account', `localhost:${server.port}`, `X: ${'x'.repeat(17_000)}\r\n`)),
    ).toMatch(/^HTTP\/1.1 431/);
    expect(await sendRaw(get(`/api/${'x'.repeat(9000)}`, `localhost:${server.port}`))).toMatch(
      /^HTTP\/1.1 414/,
    );
  });

  test('is 405 with Allow for an unsupported method', async () => {
    const reply = await server.request('DELETE', '/api/urls');
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
  });

  test.each([
    ['GET', '/api/url/add', 'POST'],
    ['GET', '/api/campaign/add', 'POST'],
    ['PATCH', '/api/campaign/add', 'POST'],
    ['POST', '/api/domains/sync', undefined],
    ['HEAD', '/api/urls', undefined],
  ])('to %s %s is of that path, and not of an id spelled like it', async (method, path, allow) => {
    const reply = await server.request(method, path);
    expect(reply.status).toBe(allow === undefined ? 200 : 405);
    if (allow !== undefined) expect(reply.headers.get('allow')).toBe(allow);
  });

  test('is 404 for a path in another case or with a trailing slash', async () => {
    expect((await server.request('GET', '/api/Account')).status).toBe(404);
    expect((await server.request('GET', '/api/account/')).status).toBe(404);
  });
});

describe('a request body', () => {
  const posted = (rawBody: Buffer) =>
    server.request('POST', '/api/url/add', { rawBody, headers: { 'content-type': 'application/json' } });
  const titled = (title: Buffer) =>
    Buffer.concat([Buffer.from('{"url":"https://example.com/","title":"'), title, Buffer.from('"}')]);

  test.each([
    ['bytes that begin nothing', titled(Buffer.of(0xff, 0xfe))],
    ['a sequence that breaks off', titled(Buffer.of(0xe2, 0x82))],
    ['half a pair of surrogates', titled(Buffer.of(0xed, 0xa0, 0x80))],
    ['such bytes beside the real U+FFFD', titled(Buffer.of(0xef, 0xbf, 0xbd, 0xff))],
  ])('is 400 when it is no UTF-8: %s', async (_what, body) => {
    const reply = await posted(body);
    expect([reply.status, reply.body]).toEqual([
      400,
      { error: 1, code: 'invalid_json', message: 'The body is not valid UTF-8.' },
    ]);
  });

  test.each([
    ['{"url":"https://example.com/","title":"a\\u0000b"}', 'title'],
    ['{"url":"https://example.com/","note":"\\ud800"}', 'note'],
    ['{"geotarget":[{"location":"DE","link":"x"},{"location":"\\udfff"}]}', 'geotarget.1.location'],
  ])('names the field whose text cannot be stored: %s', async (body, field) => {
    const reply = await posted(Buffer.from(body));
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        error: 1,
        code: 'invalid_json',
        field,
        message: expect.stringMatching(/characters that cannot be stored/),
      },
    ]);
  });

  test('may contain U+FFFD and long letters, and start with a byte order mark', async () => {
    const title = `\ufffd ${'é€😀'.repeat(60)}`;
    const marked = await posted(Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), titled(Buffer.from(title))]));
    expect(marked.status).toBe(200);
    const { details } = (await server.request('GET', `/api/url/${marked.body.id}`)).body;
    expect(details.title).toBe(title);
  });

  const json = { 'content-type': 'application/json' };
  const post = (rawBody: string | Buffer, headers: Record<string, string> = json) =>
    server.request('POST', '/api/url/add', { rawBody, headers });

  test.each([
    '',
    '{',
    '[]',
    '"x"',
    'null',
    '\ufeff{}',
    '{"url":NaN}',
    `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  ])('is 400 if it is %j', async (text) => {
    const reply = await post(text);
    expect([reply.status, reply.body.error]).toEqual([400, 1]);
  });

  test.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=utf-16', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('is 415 as %s %j', async (type, extra) => {
    expect((await post('{"url":"https://example.com/"}', { 'content-type': type, ...extra })).status).toBe(
      415,
    );
  });

  test('is 413 beyond 1 MB', async () => {
    const reply = await post(JSON.stringify({ url: 'https://example.com/', note: 'x'.repeat(1_000_001) }));
    expect([reply.status, reply.body.code]).toEqual([413, 'too_large']);
  });

  test('is refused with the name of each field of the wrong type, and never cast', async () => {
    const reply = await server.request('POST', '/api/url/add', {
      body: { url: 5, custom: ['x'], archived: 'true', clicklimit: '5', password: 1 },
    });
    expect(reply.status).toBe(400);
    const fields = reply.body.errors.map((problem: { field: string }) => problem.field);
    expect(fields.sort()).toEqual(['archived', 'clicklimit', 'custom', 'password', 'url']);
  });

  test('is refused with a message that says which values are right', async () => {
    const add = async (body: object) => {
      const reply = await server.request('POST', '/api/url/add', {
        body: { url: 'https://example.com/', ...body },
      });
      return reply.body.message;
    };
    expect(await add({ campaign: 0 })).toBe('Use a number above 0.');
    expect(await add({ clicklimit: -1 })).toBe('Use a number of at least 0.');
    const reply = await server.request('GET', '/api/urls?short=');
    expect(reply.body.message).toBe('Use at least 1 character.');
    expect(await add({ geotarget: [{ location: '', link: 'https://example.com/' }] })).toBe(
      'Use at least 1 character.',
    );
  });

  test('may have unknown keys, which are ignored and pollute nothing', async () => {
    const reply = await post('{"url":"https://example.com/","id":999,"clicks":5,"__proto__":{"polluted":1}}');
    expect(reply.status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const { body } = await server.request('GET', `/api/url/${reply.body.id}`);
    expect([body.id, body.details.clicks]).toEqual([reply.body.id, 0]);
  });
});

describe('the rate limit', () => {
  test("refuses a key's 31st request in a minute with the waiting time, and continues after it", async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 30; count += 1) {
      statuses.add((await server.request('GET', '/api/account', { key: server.key })).status);
    }
    expect([...statuses]).toEqual([200]);
    const refused = await server.request('GET', '/api/account', { key: server.key });
    expect([refused.status, refused.body.code, refused.headers.get('x-ratelimit-remaining')]).toEqual([
      429,
      'rate_limited',
      '0',
    ]);
    expect(refused.headers.get('x-ratelimit-limit')).toBe('30');
    server.clock.advance(Number(refused.headers.get('retry-after')) * 1000);
    const next = await server.request('GET', '/api/account', { key: server.key });
    expect([next.status, next.headers.get('x-ratelimit-remaining')]).toEqual([200, '29']);
  });

  test('is not affected by changing the system clock', async () => {
    for (let count = 0; count < 30; count += 1)
      await server.request('GET', '/api/account', { key: server.key });
    server.clock.jump(2 * 86_400_000);
    expect((await server.request('GET', '/api/account', { key: server.key })).status).toBe(429);
    server.clock.jump(-4 * 86_400_000);
    expect((await server.request('GET', '/api/account', { key: server.key })).status).toBe(429);
  });

  test('gives each key its own window, and a session 600', async () => {
    for (let count = 0; count < 31; count += 1)
      await server.request('GET', '/api/account', { key: server.key });
    const session = await server.request('GET', '/api/account');
    expect([session.status, session.headers.get('x-ratelimit-limit')]).toEqual([200, '600']);
  });

  test('gives an address without a key 60 a minute', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 62; count += 1) {
      statuses.push((await server.request('GET', '/api/meta', { key: null })).status);
    }
    // Set-up and sign-in of this test took two of the sixty.
    expect(statuses.indexOf(429)).toBe(58);
  });
});

describe('the host check (T-01)', () => {
  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '[::1]'])('accepts %s', async (name) => {
    expect(await sendRaw(get('/api/account', `${name}:${server.port}`))).toMatch(/^HTTP\/1.1 200/);
  });

  test.each([
    'localhost',
    'localhost.:PORT',
    '127.1:PORT',
    '0.0.0.0:PORT',
    '0x7f000001:PORT',
    '2130706433:PORT',
    '[::ffff:127.0.0.1]:PORT',
    'localhost.evil.example:PORT',
    'evil.example:PORT',
    'evil.example:fake@localhost:PORT',
    'localhost:1',
    `${'x'.repeat(300)}:PORT`,
    '',
  ])('responds with 421 to the host "%s" on /api and /admin', async (host) => {
    const header = host.replace('PORT', String(server.port));
    expect(await sendRaw(get('/api/account', header))).toMatch(/^HTTP\/1.1 421/);
    expect(await sendRaw(get('/admin/', header))).toMatch(/^HTTP\/1.1 421/);
  });

  test('refuses two Host headers, a local name over HTTP/1.0, and an absolute target with another host', async () => {
    const own = `localhost:${server.port}`;
    const twice = await sendRaw(get('/api/account', own, 'Host: evil.example\r\n'));
    expect(twice).toMatch(/^HTTP\/1.1 4(00|21)/);
    expect(await sendRaw(get('http://evil.example/api/account', own))).toMatch(/^HTTP\/1.1 421/);
    const old = `GET /api/account HTTP/1.0\r\nHost: ${own}\r\nAuthorization: Bearer ${server.key}\r\n\r\n`;
    expect(await sendRaw(old)).toMatch(/^HTTP\/1.1 421/);
  });

  test('does not redirect a request with two Host headers, since a proxy may have read the other', async () => {
    await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', custom: 'hosts' } });
    const own = `localhost:${server.port}`;
    expect(await sendRaw(get('/hosts', own))).toMatch(/^HTTP\/1.1 302/);
    for (const other of ['evil.example', own]) {
      expect(await sendRaw(get('/hosts', own, `hOST: ${other}\r\n`))).toMatch(/^HTTP\/1.1 4\d\d/);
      expect(await sendRaw(get('/hosts', other, `Host: ${own}\r\n`))).toMatch(/^HTTP\/1.1 4\d\d/);
    }
  });

  test('accepts the configured name over HTTP/1.0, which proxies use by default', async () => {
    await server.close();
    server = await startApp({ baseUrl: 'https://go.example.com' });
    const old = (host: string, version: string) =>
      `GET /api/account HTTP/${version}\r\nHost: ${host}\r\nAuthorization: Bearer ${server.key}\r\n\r\n`;
    expect(await sendRaw(old('go.example.com', '1.0'))).toMatch(/^HTTP\/1.1 200/);
    expect(await sendRaw(old('evil.example', '1.0'))).toMatch(/^HTTP\/1.1 421/);
    expect(await sendRaw(old('127.0.0.1', '1.0'))).toMatch(/^HTTP\/1.1 421/);
    expect(await sendRaw(old('go.example.com', '2.0'))).toMatch(/^HTTP\/1.1 421/);
  });

  test('refuses a request without Host with its own message', async () => {
    const bare = (path: string) => `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`;
    const answer = await sendRaw(bare('/api/health'));
    expect(answer).toMatch(/^HTTP\/1.1 421/);
    expect(answer).toMatch(/^x-ratelimit-limit: 60\r$/im);
    expect(answer).toContain('"error":1');
    for (const path of ['/', '/somewhere', '/admin/']) {
      expect(await sendRaw(bare(path))).toMatch(/^HTTP\/1.1 4\d\d/);
    }
  });

  test('is never satisfied by a branded domain in the database', async () => {
    server.databases.main
      .prepare("INSERT INTO domains (user_id, host, active, created_at) VALUES (1, 'go.example.com', 1, 0)")
      .run();
    expect(await sendRaw(get('/api/account', `go.example.com:${server.port}`))).toMatch(/^HTTP\/1.1 421/);
    expect(await sendRaw(get('/api/account', 'go.example.com'))).toMatch(/^HTTP\/1.1 421/);
  });

  test.each(['https://evil.example', 'null', 'http://localhost:1'])(
    'refuses a page of %s (T-02)',
    async (origin) => {
      expect((await server.request('GET', '/api/account', { headers: { origin } })).status).toBe(403);
    },
  );

  test('refuses what a browser marks as cross-site (T-02)', async () => {
    const reply = await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/' },
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(reply.status).toBe(403);
  });

  test('accepts our own page', async () => {
    expect((await server.request('GET', '/api/account', { headers: { origin: server.origin } })).status).toBe(
      200,
    );
  });
});
