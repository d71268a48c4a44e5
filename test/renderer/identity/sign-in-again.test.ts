import UApp from '@nuxt/ui/components/App.vue';
import { beforeEach, expect, test, vi } from 'vitest';
import { h } from 'vue';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import SignInAgain from '../../../renderer/identity/session/SignInAgain.vue';
import { account, meta, openPage, settle } from '../page.ts';

const credential = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key' as const,
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
  clientExtensionResults: {},
};
vi.mock('../../../renderer/identity/passkeys/web-authn.ts', () => ({
  passkeyObstacle: () => undefined,
  signWithPasskey: async () => credential,
  stopOffering: async () => {},
}));

beforeEach(() => storedTokens(localStorage).write('local', 'the-token'));

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
