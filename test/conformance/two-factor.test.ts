import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { administrator, startApp, type TestApp } from '../support/app.ts';
import { totpCode, wrongCode } from '../support/totp.ts';
import { type PlainClient, plainClient } from './plain-client.ts';

let server: TestApp;
let send: PlainClient;
beforeEach(async () => {
  server = await startApp({ ratelimit: 100_000 });
  send = plainClient(server.origin, server.key);
});
afterEach(() => server.close());

const setUp = async (): Promise<string> => (await send('POST', '/api/account/2fa/setup')).body.data.secret;
const enable = (code: unknown) => send('POST', '/api/account/2fa/enable', { code });
const disable = (body: unknown) => send('POST', '/api/account/2fa/disable', body);
const isOn = async () => (await send('GET', '/api/account')).body.data.has_2fa;
const codeOf = (secret: string, shift = 0) => totpCode(secret, server.clock.now() + shift);

async function switchOn(): Promise<string> {
  const secret = await setUp();
  expect((await enable(codeOf(secret))).status).toBe(200);
  return secret;
}

describe('POST /api/account/2fa/setup', () => {
  test('returns a new secret, its otpauth URL and 120 seconds, and turns nothing on', async () => {
    const { status, body } = await send('POST', '/api/account/2fa/setup');
    expect(status).toBe(200);
    expect(body).toEqual({
      error: 0,
      data: {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        otpauth_url: expect.stringMatching(/^otpauth:\/\/totp\//),
        expires_in: 120,
      },
    });
    const url = new URL(body.data.otpauth_url);
    expect(url.searchParams.get('secret')).toBe(body.data.secret);
    expect(await isOn()).toBe(false);
    expect(await setUp()).not.toBe(body.data.secret);
  });

  test('is refused while two-factor authentication is on', async () => {
    await switchOn();
    const { status, body } = await send('POST', '/api/account/2fa/setup');
    expect([status, body.error, body.code]).toEqual([400, 1, 'already_enabled']);
  });

  test('replaces the secret of a pending set-up', async () => {
    const first = await setUp();
    const second = await setUp();
    expect((await enable(codeOf(first))).status).toBe(400);
    expect((await enable(codeOf(second))).status).toBe(200);
  });
});

describe('POST /api/account/2fa/enable', () => {
  test('is turned on with the current code and confirmed with a message', async () => {
    const { status, body } = await enable(codeOf(await setUp()));
    expect(status).toBe(200);
    expect(body).toMatchObject({ error: 0, message: expect.any(String) });
    expect(await isOn()).toBe(true);
  });

  test('accepts the code of the previous step, but no older or newer one', async () => {
    const secret = await setUp();
    expect((await enable(codeOf(secret, -60_000))).status).toBe(400);
    expect((await enable(codeOf(secret, 30_000))).status).toBe(400);
    expect((await enable(codeOf(secret, -30_000))).status).toBe(200);
  });

  test('works 119 seconds after the set-up and not after 120', async () => {
    let secret = await setUp();
    server.clock.advance(120_000);
    const late = await enable(codeOf(secret));
    expect([late.status, late.body.error, late.body.code]).toEqual([400, 1, 'setup_expired']);
    secret = await setUp();
    server.clock.advance(119_000);
    expect((await enable(codeOf(secret))).status).toBe(200);
  });

  test('is refused without a set-up', async () => {
    const { status, body } = await enable('123456');
    expect([status, body.error, body.code]).toEqual([400, 1, 'setup_expired']);
  });

  test.each([
    undefined,
    123456,
    '12345',
    '1234567',
    '１２３４５６',
    '123 456',
    ' 123456',
    null,
    ['123456'],
    '',
  ])('refuses the code %j and names the field', async (code) => {
    await setUp();
    const { status, body } = await enable(code);
    expect([status, body.error, body.field]).toEqual([400, 1, 'code']);
    expect(await isOn()).toBe(false);
  });

  test('refuses the sixth wrong code with 429 and Retry-After, even the right one', async () => {
    const secret = await setUp();
    const wrong = wrongCode(secret, server.clock.now());
    for (let count = 0; count < 5; count += 1) expect((await enable(wrong)).status).toBe(400);
    const { status, headers, body } = await enable(codeOf(secret));
    expect([status, body.error]).toEqual([429, 1]);
    expect(Number(headers['retry-after'])).toBe(15 * 60);
    expect(await isOn()).toBe(false);
  });
});

describe('POST /api/account/2fa/disable', () => {
  test('is turned off with a current code', async () => {
    const secret = await switchOn();
    server.clock.advance(30_000);
    const { status, body } = await disable({ code: codeOf(secret) });
    expect([status, body]).toEqual([200, { error: 0, message: expect.any(String) }]);
    expect(await isOn()).toBe(false);
  });

  test('is turned off with the current password', async () => {
    await switchOn();
    const { status, body } = await disable({ current_password: administrator.password });
    expect([status, body]).toEqual([200, { error: 0, message: expect.any(String) }]);
    expect(await isOn()).toBe(false);
  });

  test('is refused with neither a code nor the password', async () => {
    await switchOn();
    const { status, body } = await disable({});
    expect([status, body.error, body.message]).toEqual([400, 1, expect.any(String)]);
    expect(await isOn()).toBe(true);
  });

  test('refuses a wrong code and a wrong password, even beside a correct one', async () => {
    const secret = await switchOn();
    server.clock.advance(30_000);
    const wrong = wrongCode(secret, server.clock.now());
    for (const body of [
      { code: wrong },
      { current_password: 'wrong' },
      { code: wrong, current_password: administrator.password },
      { code: codeOf(secret), current_password: 'wrong' },
    ]) {
      expect((await disable(body)).status).toBe(400);
      expect(await isOn()).toBe(true);
    }
  });

  test('refuses the code that turned it on', async () => {
    const secret = await switchOn();
    expect((await disable({ code: codeOf(secret) })).status).toBe(400);
  });

  test('is refused if it is off', async () => {
    const { status, body } = await disable({ current_password: administrator.password });
    expect([status, body.code]).toEqual([400, 'not_enabled']);
  });
});
