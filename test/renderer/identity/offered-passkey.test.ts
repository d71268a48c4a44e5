import { expect, it, vi } from 'vitest';
import App from '../../../renderer/App.vue';
import { meta, openPage, settle } from '../page.ts';

const base = meta(false);
const options = { challenge: 'AAAA', rpId: 'localhost', timeout: 300_000, userVerification: 'required' };
const answers = {
  'GET /api/meta': { body: { ...base.body, data: { ...base.body.data, features: ['passkeys'] } } },
  'POST /api/auth/passkey/options': { body: { error: 0, data: { options } } },
};

it.each([
  ['the browser fails at it', {}, () => Promise.reject(new DOMException('Busy.', 'UnknownError'))],
  [
    'the server refuses the question',
    { 'POST /api/auth/passkey/options': { status: 500, body: { error: 1, message: 'Internal error' } } },
    () => Promise.reject(new Error('never asked')),
  ],
])('an offer of passkeys that nobody asked for says nothing when %s', async (_what, others, sign) => {
  // A page is offered passkeys at a name alone, and over a connection that is private.
  vi.stubGlobal('isSecureContext', true);
  const offered = { isConditionalMediationAvailable: () => Promise.resolve(true) };
  vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, offered));
  vi.spyOn(navigator, 'credentials', 'get').mockReturnValue({ get: sign } as never);
  const page = await openPage(App, '/sign-in', { ...answers, ...others });
  await expect
    .poll(() => page.requests.some(({ path }) => path === '/api/auth/passkey/options'), { timeout: 10_000 })
    .toBe(true);
  await settle();
  expect(page.text()).toContain('Sign in');
  expect(page.text()).not.toContain('Something went wrong');
  expect(document.querySelector('[role="alert"]')).toBeNull();
});
