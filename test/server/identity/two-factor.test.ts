import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { administrator, startApp, type TestApp } from '../../support/app.ts';
import { totpCode, wrongCode } from '../../support/totp.ts';

let server: TestApp;
let secret: string;
let recoveryCodes: string[];
beforeEach(async () => {
  server = await startApp();
  secret = (await server.request('POST', '/api/account/2fa/setup')).body.data.secret;
  const enabled = await server.request('POST', '/api/account/2fa/enable', { body: { code: code() } });
  recoveryCodes = enabled.body.data.recovery_codes;
  server.clock.advance(30_000);
});
afterEach(() => server.close());

const code = () => totpCode(secret, server.clock.now());
const signIn = (fields: Record<string, unknown> = {}) =>
  server.request('POST', '/api/auth/login', {
    key: null,
    body: { login: 'anna', password: administrator.password, ...fields },
  });

describe('a sign-in with two-factor authentication', () => {
  test('asks for the code with 401 code_required, and not with a wrong password', async () => {
    const missing = await signIn();
    expect([missing.status, missing.body.code]).toEqual([401, 'code_required']);
    const wrong = await signIn({ password: 'wrong', code: code() });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials']);
    expect((await signIn({ code: code() })).status).toBe(200);
  });

  test('accepts a code once', async () => {
    const used = code();
    expect((await signIn({ code: used })).status).toBe(200);
    const again = await signIn({ code: used });
    expect([again.status, again.body.code, again.body.field]).toEqual([400, 'invalid_code', 'code']);
    server.clock.advance(30_000);
    expect((await signIn({ code: used })).status).toBe(400);
    expect((await signIn({ code: code() })).status).toBe(200);
  });

  test('is locked for 15 minutes after five wrong codes, for every use of codes', async () => {
    const wrong = wrongCode(secret, server.clock.now());
    for (let count = 0; count < 4; count += 1) expect((await signIn({ code: wrong })).status).toBe(400);
    server.clock.advance(14 * 60_000);
    expect((await signIn({ code: wrongCode(secret, server.clock.now()) })).status).toBe(400);
    const locked = await signIn({ code: code() });
    expect([locked.status, locked.body.code, locked.headers.get('retry-after')]).toEqual([
      429,
      'too_many_failures',
      '900',
    ]);
    const disable = await server.request('POST', '/api/account/2fa/disable', { body: { code: code() } });
    expect(disable.status).toBe(429);
    server.clock.advance(15 * 60_000);
    expect((await signIn({ code: code() })).status).toBe(200);
  });

  test('counts passwords and codes separately', async () => {
    const wrong = wrongCode(secret, server.clock.now());
    for (let count = 0; count < 6; count += 1) await signIn({ code: wrong });
    const disable = await server.request('POST', '/api/account/2fa/disable', {
      body: { current_password: administrator.password },
    });
    expect(disable.status).toBe(200);
    expect((await signIn()).status).toBe(200);
  });
});

describe('a recovery code', () => {
  test('works however it is typed from paper, and only once', async () => {
    const [first = '', second = '', third = ''] = recoveryCodes;
    const bare = first.replaceAll('-', '');
    const spaced = ` ${second.replaceAll('-', ' ').toUpperCase()}`;
    for (const code of [bare, spaced, third.replaceAll('-', '–')]) {
      expect((await signIn({ code })).status).toBe(200);
      expect((await signIn({ code })).status).toBe(400);
    }
    expect((await signIn({ code: first })).status).toBe(400);
  });

  test('is one of ten, and works once at sign-in', async () => {
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first] = recoveryCodes;
    expect(first).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect((await signIn({ code: first?.toUpperCase() })).status).toBe(200);
    expect((await signIn({ code: first })).status).toBe(400);
  });

  test('turns two-factor authentication off', async () => {
    const reply = await server.request('POST', '/api/account/2fa/disable', {
      body: { code: recoveryCodes[1] },
    });
    expect(reply.status).toBe(200);
    expect((await signIn()).status).toBe(200);
  });

  test('is invalid once new ones were created, which requires the password', async () => {
    const renew = (current_password: string) =>
      server.request('POST', '/api/account/2fa/recovery', { body: { current_password } });
    expect((await renew('wrong')).body).toMatchObject({ code: 'wrong_password', field: 'current_password' });
    const renewed = await renew(administrator.password);
    expect(renewed.body.data.recovery_codes).toHaveLength(10);
    expect((await signIn({ code: recoveryCodes[2] })).status).toBe(400);
    expect((await signIn({ code: renewed.body.data.recovery_codes[0] })).status).toBe(200);
  });
});

test('an administrator turns it off for somebody who is locked out', async () => {
  expect((await server.request('PUT', '/api/user/1/update', { body: { has_2fa: true } })).status).toBe(400);
  expect((await server.request('PUT', '/api/user/1/update', { body: { has_2fa: false } })).status).toBe(200);
  expect((await signIn()).status).toBe(200);
});

test('with a lost vault key, recovery codes still work', async () => {
  server.databases.main
    .prepare('UPDATE users SET totp_secret = ?')
    .run('v1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
  expect((await signIn({ code: code() })).status).toBe(400);
  expect((await signIn({ code: recoveryCodes[3] })).status).toBe(200);
});
