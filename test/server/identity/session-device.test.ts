import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deviceOf } from '../../../server/identity/sessions/device.ts';
import { administrator, startApp, type TestApp } from '../../support/app.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

describe('a device without a name', () => {
  test.each([
    [firefox, 'Firefox on Linux'],
    [iphone, 'Safari on iOS'],
    ['curl/8.10.1', 'curl'],
    ['python-requests/2.32', 'python-requests'],
    ['', 'Unknown device'],
    [undefined, 'Unknown device'],
    ['\u0000\u001b[31m(', '[31m'],
    ['x'.repeat(5000), 'x'.repeat(60)],
  ])('is called by its user agent, in short: %s', (agent, name) => {
    expect(deviceOf(agent)).toBe(name);
  });
});

describe('a session', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startApp();
    await server.request('PUT', '/api/settings', { body: { registration: 'open' } });
  });
  beforeEach(() => server.clock.advance(60_000));
  afterAll(() => server.close());

  /** The name of the session that a reply opened. */
  async function nameOf(path: string, body: object): Promise<string> {
    const headers = { 'user-agent': firefox };
    const reply = await server.request('POST', path, { body, headers, key: null });
    const { data } = (await server.request('GET', '/api/auth/sessions', { key: reply.body.data.token })).body;
    return data.sessions.find((session: { current: boolean }) => session.current).device;
  }
  const account = (username: string) => ({ username, email: `${username}@example.com`, password: 'secret' });
  const login = { login: administrator.email, password: administrator.password };

  test('is named alike after a sign-in and a registration', async () => {
    expect(await nameOf('/api/auth/login', login)).toBe('Firefox on Linux');
    expect(await nameOf('/api/auth/register', account('carl'))).toBe('Firefox on Linux');
  });

  test('is named as the client says, if it does', async () => {
    expect(await nameOf('/api/auth/login', { ...login, device: 'My laptop' })).toBe('My laptop');
    expect(await nameOf('/api/auth/register', { ...account('dora'), device: 'My laptop' })).toBe('My laptop');
  });
});
