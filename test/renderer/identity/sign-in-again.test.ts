import UApp from '@nuxt/ui/components/App.vue';
import { beforeEach, expect, test, vi } from 'vitest';
import { h } from 'vue';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import * as webAuthn from '../../../renderer/identity/passkeys/web-authn.ts';
import SignInAgain from '../../../renderer/identity/session/SignInAgain.vue';
import TwoFactorSetup from '../../../renderer/identity/two-factor/TwoFactorSetup.vue';
import { account, meta, openPage, settle } from '../page.ts';

const credential = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key' as const,
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
  clientExtensionResults: {},
};

beforeEach(() => {
  vi.spyOn(webAuthn, 'passkeyObstacle').mockReturnValue(undefined);
  vi.spyOn(webAuthn, 'signWithPasskey').mockResolvedValue(credential);
  vi.spyOn(webAuthn, 'stopOffering').mockResolvedValue();
  storedTokens(localStorage).write('local', 'the-token');
});

test.each([
  ['of the person continues', 1, 'the-new-token', 'Signed in again. Continue now.'],
  ['of somebody else changes nothing', 2, 'the-token', 'That passkey belongs to another account.'],
])('a passkey %s in the middle of a form', async (_what, id, token, said) => {
  const described = meta(false);
  const page = await openPage((() => h(UApp, () => h(SignInAgain))) as never, '/settings/security', {
    'GET /api/meta': {
      body: { ...described.body, data: { ...described.body.data, features: ['passkeys'] } },
    },
    'GET /api/account': { body: { error: 0, data: account } },
    'POST /api/auth/passkey/options': {
      body: {
        error: 0,
        data: {
          options: { challenge: 'AA', timeout: 60_000, rpId: 'localhost', userVerification: 'required' },
        },
      },
    },
    'POST /api/auth/passkey/login': {
      body: {
        error: 0,
        message: 'Signed in.',
        data: { token: 'the-new-token', expires: '2027-01-15 12:00:00', account: { ...account, id } },
      },
    },
  });
  await settle();
  const button = [...document.querySelectorAll('button')].find((each) =>
    /passkey/i.test(each.textContent ?? ''),
  );
  button?.click();
  await vi.waitFor(() => expect(page.text()).toContain(said));
  expect(storedTokens(localStorage).read('local')).toBe(token);
});

test('a second factor set-up interrupted by the end of the session can be restarted', async () => {
  let begun = 0;
  const page = await openPage((() => h(UApp, () => h(TwoFactorSetup))) as never, '/settings/security', {
    'GET /api/meta': meta(false),
    'GET /api/account': { body: { error: 0, data: account } },
    'POST /api/account/2fa/setup': () => {
      begun += 1;
      const data = { secret: `SECRET${begun}`, otpauth_url: 'otpauth://totp/x?secret=A', expires_in: 120 };
      return { body: { error: 0, data } };
    },
    'POST /api/account/2fa/enable': {
      status: 400,
      body: { error: 1, code: 'setup_expired', field: 'code', message: 'The set-up has expired.' },
    },
  });
  await expect.poll(page.text).toContain('SECR ET1');
  const field = document.querySelector<HTMLInputElement>('[autocomplete="one-time-code"]');
  if (!field) throw new Error('There is no field for the code.');
  field.value = '123456';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  const again = () =>
    [...document.querySelectorAll('button')].find((each) => each.textContent?.trim() === 'Start again');
  await expect.poll(again).toBeDefined();
  again()?.click();
  await expect.poll(page.text).toContain('SECR ET2');
  expect(again()).toBeUndefined();
});
