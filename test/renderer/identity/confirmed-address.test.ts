import UApp from '@nuxt/ui/components/App.vue';
import { expect, test } from 'vitest';
import { h } from 'vue';
import UserSlideover from '../../../renderer/identity/users/UserSlideover.vue';
import type { User } from '../../../server/contract/users.ts';
import { account, fill, meta, openPage, press, settle } from '../page.ts';

const carl = {
  ...account,
  id: 2,
  username: 'carl',
  email: 'carl@example.com',
  verified: false,
} as unknown as User;

/** The form of a user, open, and the switch about the address in it. */
async function openForm(user: User) {
  const form = () => h(UserSlideover, { open: true, user });
  const page = await openPage(() => h(UApp, form) as never, '/settings', {
    'GET /api/meta': meta(false),
    'GET /api/account': { body: { error: 0, data: account } },
    'GET /api/plans': { body: { error: 0, data: [] } },
    'PUT /api/user/2/update': { body: { error: 0, message: 'Saved.' } },
  });
  await settle();
  const confirmed = () =>
    [...document.querySelectorAll<HTMLElement>('[role="switch"]')].find(({ id }) =>
      document.querySelector(`label[for="${id}"]`)?.textContent?.includes('Email confirmed'),
    );
  return { page, confirmed };
}

test('the user form shows whether the address is verified, and sets it', async () => {
  const { page, confirmed } = await openForm(carl);
  expect(confirmed()?.getAttribute('aria-checked')).toBe('false');
  confirmed()?.click();
  await settle();
  await press('Save');
  expect(page.requests.find(({ method }) => method === 'PUT')).toMatchObject({ body: { verified: true } });
});

test('a new address set by an administrator is verified as the form says', async () => {
  const { page } = await openForm(carl);
  await fill('Email', 'karl@example.com');
  await press('Save');
  const body = { email: 'karl@example.com', verified: false };
  expect(page.requests.find(({ method }) => method === 'PUT')).toMatchObject({ body });
});
