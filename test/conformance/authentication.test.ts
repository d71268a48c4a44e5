import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setupCode, startApp, type TestApp } from '../support/app.ts';
import { secondAccount } from '../support/second-account.ts';
import { type PlainClient, plainClient } from './plain-client.ts';

let server: TestApp;
let send: PlainClient;
beforeEach(async () => {
  server = await startApp();
  send = plainClient(server.origin, server.key);
});
afterEach(() => server.close());

const unauthorized = {
  status: 401,
  body: { error: 1, message: expect.any(String), code: 'unauthorized' },
};

describe('the API key', () => {
  test('is created with the account', async () => {
    const fresh = await startApp({ fresh: true });
    const made = await plainClient(fresh.origin)('POST', '/api/setup', {
      email: 'new@example.com',
      username: 'new',
      password: 'secret',
      setupcode: setupCode,
    });
    const reply = await plainClient(fresh.origin, made.body.data.api_key)('GET', '/api/account');
    expect([reply.status, reply.body.data.username]).toEqual([200, 'new']);
    await fresh.close();
  });

  test('is required for every request: without one it is an error', async () => {
    for (const [method, path] of [
      ['GET', '/api/account'],
      ['PUT', '/api/account/update'],
      ['POST', '/api/account/2fa/setup'],
      ['POST', '/api/account/api/regenerate'],
      ['GET', '/api/urls'],
      ['GET', '/api/nothing'],
    ] as const) {
      const { status, body, headers } = await plainClient(server.origin)(method, path);
      expect({ status, body }).toEqual(unauthorized);
      expect(headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('is an error once it has expired', async () => {
    const { body } = await send('POST', '/api/key/add', { name: 'Short', expires: '2027-01-15 13:00:00' });
    const short = plainClient(server.origin, body.data.api_key);
    expect((await short('GET', '/api/account')).status).toBe(200);
    server.clock.advance(3_600_000);
    const { status, body: answer } = await short('GET', '/api/account');
    expect({ status, body: answer }).toEqual(unauthorized);
  });

  test('appears only in the reply that creates it', async () => {
    const bodies = [
      await send('GET', '/api/account'),
      await send('GET', '/api/keys'),
      await send('GET', '/api/audit'),
    ];
    expect(JSON.stringify(bodies)).not.toContain(server.key.slice(10));
  });
});

describe('POST /api/account/api/regenerate', () => {
  const regenerate = (client: PlainClient, body?: unknown) =>
    client('POST', '/api/account/api/regenerate', body);

  test('returns a new key once; the old one fails on the next request', async () => {
    const { status, body } = await regenerate(send, { force: true });
    expect([status, body]).toEqual([
      200,
      { error: 0, message: expect.any(String), data: { api_key: expect.stringMatching(/^\S{20,}$/) } },
    ]);
    expect((await send('GET', '/api/account')).status).toBe(401);
    const renewed = plainClient(server.origin, body.data.api_key);
    expect((await renewed('GET', '/api/account')).status).toBe(200);
    expect(JSON.stringify((await renewed('GET', '/api/keys')).body)).not.toContain(body.data.api_key);
  });

  test('requires force true when the primary key itself asks', async () => {
    for (const body of [undefined, {}, { force: false }]) {
      const reply = await regenerate(send, body);
      expect([reply.status, reply.body.error, reply.body.code]).toEqual([400, 1, 'force_required']);
    }
    for (const force of ['true', 1, null]) {
      expect((await regenerate(send, { force })).status).toBe(400);
    }
    expect((await send('GET', '/api/account')).status).toBe(200);
  });

  test('does not require force when another key asks', async () => {
    const { body } = await send('POST', '/api/key/add', { name: 'Other' });
    expect((await regenerate(plainClient(server.origin, body.data.api_key))).status).toBe(200);
    expect((await send('GET', '/api/account')).status).toBe(401);
  });

  test('does not affect custom keys', async () => {
    const { body } = await send('POST', '/api/key/add', { name: 'Custom' });
    const custom = plainClient(server.origin, body.data.api_key);
    await regenerate(send, { force: true });
    expect((await custom('GET', '/api/account')).status).toBe(200);
  });
});

describe('what a plan does not include', () => {
  test('is refused with 403, a message and the name of the permission', async () => {
    const free = plainClient(server.origin, secondAccount(server, 'free', 1).key);
    const link = { url: 'https://example.com/' };
    for (const [field, body] of Object.entries({
      alias: { ...link, custom: 'mine' },
      password: { ...link, password: 'secret' },
      geo: { ...link, geotarget: [{ location: 'Germany', link: 'https://example.de/' }] },
      device: { ...link, devicetarget: [{ device: 'iphone', link: 'https://example.com/ios' }] },
      pixels: { ...link, pixels: [999] },
      splash: { ...link, type: '999' },
      overlay: { ...link, type: 'overlay-999' },
    })) {
      const reply = await free('POST', '/api/url/add', body);
      expect([reply.status, reply.body]).toEqual([
        403,
        { error: 1, message: expect.any(String), code: 'plan_required', field },
      ]);
    }
    expect((await free('POST', '/api/url/add', link)).status).toBe(200);
  });
});
