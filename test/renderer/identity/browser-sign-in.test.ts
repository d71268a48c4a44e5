import { afterEach, describe, expect, it, vi } from 'vitest';
import App from '../../../renderer/App.vue';
import { answerAddress, requestIn } from '../../../renderer/identity/browser-sign-in/request.ts';
import { account, meta, openPage, press } from '../page.ts';

const query = {
  redirect_uri: 'http://127.0.0.1:49152/signed-in',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 'abc',
  device: 'Waypost on studio',
};

describe('the request of a desktop app', () => {
  it('is what its URL says', () => {
    const request = requestIn(query);
    expect(request).toMatchObject({ device: 'Waypost on studio', state: 'abc' });
    if (!request) return;
    expect(answerAddress(request, 'https://links.example.com', { code: 'c/d' })).toBe(
      'http://127.0.0.1:49152/signed-in?code=c%2Fd&state=abc&iss=https%3A%2F%2Flinks.example.com',
    );
  });

  it.each([
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: ['http://127.0.0.1:1/a', 'https://evil.example/'] },
    { code_challenge: 'plain' },
    { code_challenge_method: 'plain' },
    { state: undefined },
    { state: 'a&code=b' },
    { device: ' ' },
    { device: 'Waypost \u202erof\u202c you' },
  ])('is invalid with %j', (change) => {
    expect(requestIn({ ...query, ...change } as Parameters<typeof requestIn>[0])).toBeUndefined();
  });
});

describe('the page that asks', () => {
  afterEach(() => void vi.unstubAllGlobals());
  const code = { body: { error: 0, data: { code: 'A'.repeat(43) } } };
  const open = (params: Record<string, string>) => {
    localStorage.setItem('waypost:local:token', 'the-token');
    return openPage(App, `/connect?${new URLSearchParams(params)}`, {
      'GET /api/meta': meta(false),
      'GET /api/account': { body: { error: 0, data: account } },
      'POST /api/auth/browser/approve': code,
    });
  };
  const watchLeaving = () => {
    const left: string[] = [];
    vi.stubGlobal('location', { origin: location.origin, replace: (url: string) => void left.push(url) });
    return left;
  };

  it('shows the device and the account, and allows nothing before the click', async () => {
    const page = await open(query);
    await expect.poll(() => page.text()).toContain('Waypost on studio asks for access');
    expect(page.text()).toContain('your account ada');
    const asked = () => page.requests.find(({ path }) => path === '/api/auth/browser/approve');
    expect(asked()).toBeUndefined();
    const left = watchLeaving();
    await press('Allow');
    expect(asked()?.body).toEqual({
      challenge: query.code_challenge,
      redirecturi: query.redirect_uri,
      device: query.device,
    });
    expect(left).toEqual([expect.stringContaining(`${query.redirect_uri}?code=AAA`)]);
  });

  it('returns without a code when denied', async () => {
    const page = await open(query);
    await expect.poll(() => page.text()).toContain('asks for access');
    const left = watchLeaving();
    await press('Deny');
    expect(left).toEqual([
      expect.stringContaining(`${query.redirect_uri}?error=access_denied&state=abc&iss=`),
    ]);
    expect(page.requests.map(({ path }) => path)).not.toContain('/api/auth/browser/approve');
  });

  it('offers nothing for an invalid request', async () => {
    const page = await open({ ...query, redirect_uri: 'https://evil.example/' });
    await expect.poll(() => page.text()).toContain('This link doesn’t work');
    expect(page.text()).not.toContain('Allow');
  });
});
