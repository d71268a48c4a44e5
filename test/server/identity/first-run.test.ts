import { afterEach, expect, test } from 'vitest';
import { administrator, setupCode, startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
afterEach(() => server.close());

const firstSetUp = { ...administrator, setupcode: setupCode };

test('the first run creates the administrator and shows the key once', async () => {
  server = await startApp({ fresh: true });
  expect((await server.request('GET', '/api/meta', { key: null })).body.data.setup).toBe(true);
  const made = await server.request('POST', '/api/setup', { key: null, body: firstSetUp });
  expect(made.body).toMatchObject({
    error: 0,
    message: expect.any(String),
    data: {
      api_key: expect.stringMatching(/^wp_[\w-]{43}$/),
      account: { username: 'anna', admin: true, status: 'pro' },
    },
  });
  const key = made.body.data.api_key as string;
  expect((await server.request('GET', '/api/account', { key })).body.data.email).toBe('anna@example.com');
  expect((await server.request('GET', '/api/meta', { key: null })).body.data.setup).toBe(false);
});

test.each([
  ['Europe/Lisbon', 'Europe/Lisbon'],
  ['Mars/Olympus', 'UTC'],
])("a new account gets the browser's time zone %s as %s, and its language", async (said, taken) => {
  server = await startApp({ fresh: true });
  const body = { ...firstSetUp, timezone: said, language: 'pt' };
  const made = await server.request('POST', '/api/setup', { key: null, body });
  expect(made.body.data.account).toMatchObject({ timezone: taken, language: 'pt' });
});

test('an unknown language is refused with its field', async () => {
  server = await startApp({ fresh: true });
  const body = { ...firstSetUp, language: 'tlh' };
  const reply = await server.request('POST', '/api/setup', { key: null, body });
  expect([reply.status, reply.body.field]).toEqual([400, 'language']);
});

test('a second set-up is refused', async () => {
  server = await startApp();
  const reply = await server.request('POST', '/api/setup', {
    key: null,
    body: { ...administrator, email: 'eve@example.com', username: 'eve' },
  });
  expect([reply.status, reply.body.error]).toEqual([404, 1]);
});

test('fifty simultaneous set-ups create one account (T-37)', async () => {
  server = await startApp({ fresh: true });
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      server.request('POST', '/api/setup', {
        key: null,
        body: {
          email: `u${index}@example.com`,
          username: `user${index}`,
          password: 'secret',
          setupcode: setupCode,
        },
      }),
    ),
  );
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  expect(server.databases.main.prepare('SELECT count(*) AS users FROM users').get()).toEqual({ users: 1 });
});

test.each([
  ['X-Real-IP', '203.0.113.9'],
  ['X-Forwarded-Host', 'go.example.com'],
  ['X-Forwarded-Proto', 'https'],
  ['Forwarded', 'for=203.0.113.9'],
  ['Via', '1.1 proxy'],
  ['CF-Connecting-IP', '203.0.113.9'],
  ['Host', 'go.example.com'],
])('a proxy in front of a desktop, shown by %s, makes nobody local', async (name, value) => {
  server = await startApp({ fresh: true, desktop: true, settings: { baseUrl: 'http://go.example.com' } });
  const answer = await visit(server, '/api/setup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', [name]: value },
    body: JSON.stringify(administrator),
  });
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, 'setup_code_required']);
  expect(server.app.isFresh()).toBe(true);
});

test('a proxy whose headers come after a hundred others makes nobody local', async () => {
  server = await startApp({ fresh: true });
  const fillers = Object.fromEntries(Array.from({ length: 140 }, (_, index) => [`X-${index}`, 'y']));
  const answer = await visit(server, '/api/setup', {
    method: 'POST',
    headers: { ...fillers, 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' },
    body: JSON.stringify(administrator),
  });
  expect(answer.status).toBe(431);
  expect(server.app.isFresh()).toBe(true);
});

// The attack: a proxy on the same machine passes strangers on under the server's own name and adds no header, as some
// do unless they are told otherwise; whoever comes first through it would be the administrator.
test.each([
  ['no public address', {}],
  ['the address of this machine', { baseUrl: 'http://localhost:8420' }],
  ['a public address', { baseUrl: 'https://go.example.com' }],
  ['a public address in the local network', { baseUrl: 'http://192.168.1.20:8420' }],
  ['trusted proxies', { trustedProxies: ['127.0.0.1'] }],
])('a server with %s treats no request as local', async (_what, settings) => {
  server = await startApp({ fresh: true, settings });
  const send = (path: string, body: object) => server.request('POST', path, { key: null, body });
  for (const code of [{}, { setupcode: 'WRONGCODE' }]) {
    const refused = await send('/api/setup', { ...administrator, ...code });
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([
      403,
      'setup_code_required',
      'setupcode',
    ]);
    const restore = await send('/api/setup/restore', { id: 1, withoutkeys: true, ...code });
    expect([restore.status, restore.body.code]).toEqual([403, 'setup_code_required']);
  }
  expect(server.app.isFresh()).toBe(true);
  expect((await send('/api/setup', firstSetUp)).status).toBe(200);
});

test('the user of a desktop needs no code', async () => {
  server = await startApp({ fresh: true, desktop: true, settings: { baseUrl: 'https://go.example.com' } });
  const made = await server.request('POST', '/api/setup', { key: null, body: administrator });
  expect(made.status).toBe(200);
});

test.each([
  ['email', 'not an address'],
  ['username', 'a b'],
  ['password', '1234'],
])('a set-up with an invalid %s names the field', async (field, value) => {
  server = await startApp({ fresh: true });
  const reply = await server.request('POST', '/api/setup', {
    key: null,
    body: { ...firstSetUp, [field]: value },
  });
  expect([reply.status, reply.body.field]).toEqual([400, field]);
});

test('signing in works with email and user name in any case, and the session can be ended', async () => {
  server = await startApp();
  for (const login of ['ANNA@example.com', 'Anna']) {
    const reply = await server.request('POST', '/api/auth/login', {
      key: null,
      body: { login, password: administrator.password, device: 'test' },
    });
    const key = reply.body.data.token as string;
    expect((await server.request('GET', '/api/account', { key })).status).toBe(200);
    await server.request('POST', '/api/auth/logout', { key });
    expect((await server.request('GET', '/api/account', { key })).status).toBe(401);
  }
});

test('wrong credentials are 401 for known and unknown accounts alike, and the sixth failure is 429', async () => {
  server = await startApp();
  for (const login of ['anna', 'nobody']) {
    const replies = [];
    for (let count = 0; count < 6; count += 1) {
      replies.push(
        await server.request('POST', '/api/auth/login', { key: null, body: { login, password: 'wrong' } }),
      );
    }
    expect(replies.map((reply) => reply.status)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(replies[0]?.body.code).toBe('invalid_credentials');
    expect(Number(replies[5]?.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  server.clock.advance(15 * 60_000 + 1000);
  const after = await server.request('POST', '/api/auth/login', {
    key: null,
    body: { login: 'anna', password: administrator.password },
  });
  expect(after.status).toBe(200);
});

test('a session ends 90 days after its last use, an API key does not', async () => {
  server = await startApp();
  const day = 86_400_000;
  server.clock.advance(89 * day);
  expect((await server.request('GET', '/api/account')).status).toBe(200);
  server.clock.advance(89 * day);
  expect((await server.request('GET', '/api/account')).status).toBe(200);
  server.clock.advance(91 * day);
  expect((await server.request('GET', '/api/account')).status).toBe(401);
  expect((await server.request('GET', '/api/account', { key: server.key })).status).toBe(200);
});

test('neither the key nor the password is in the database or the log', async () => {
  server = await startApp();
  const rows = server.databases.main.prepare('SELECT * FROM keys, users').all();
  const stored = JSON.stringify(rows) + server.logLines().join('');
  expect(stored).not.toContain(server.key.slice(8));
  expect(stored).not.toContain(administrator.password);
});
