import { expect, it } from 'vitest';
import App from '../../../renderer/App.vue';
import { fill, meta, openPage, press, settle } from '../page.ts';

const base = meta(false);
const offered = {
  'GET /api/meta': { body: { ...base.body, data: { ...base.body.data, features: ['sso', 'mail'] } } },
  'GET /api/auth/methods': { body: { error: 0, data: { passwords: true, sso: null, reset: true } } },
};

it('a password reset is requested by login, and the reply does not reveal whether there is an account', async () => {
  const page = await openPage(App, '/sign-in', {
    ...offered,
    'POST /api/auth/password/forgot': { body: { error: 0, message: 'ok' } },
  });
  await expect.poll(() => page.text(), { timeout: 10_000 }).toContain('Forgot password?');
  await page.router.push({ name: 'forgot' });
  await expect.poll(() => page.text(), { timeout: 10_000 }).toContain('Forgot your password?');
  await fill('Email or username', ' ada ');
  await press('Send the link');
  await expect.poll(() => page.text()).toContain('Check your email');
  expect(page.requests.findLast(({ path }) => path.includes('/forgot'))?.body).toEqual({ login: 'ada' });
});

it('a new password is set with the code in the link, and a used code is reported', async () => {
  const page = await openPage(App, '/reset#the-code', {
    ...offered,
    'POST /api/auth/password/reset': {
      status: 400,
      body: {
        error: 1,
        message: 'This link is invalid, used or expired. Ask for a new one.',
        code: 'reset_invalid',
      },
    },
  });
  await expect.poll(() => page.text(), { timeout: 10_000 }).toContain('Choose a new password');
  await fill('New password', 'marble otter lamp fiddle');
  await press('Save password');
  await settle();
  expect(page.text()).toContain('This link is invalid, used or expired.');
  page.answers['POST /api/auth/password/reset'] = { body: { error: 0, message: 'ok' } };
  await press('Save password');
  await settle();
  const sent = page.requests.filter(({ path }) => path === '/api/auth/password/reset');
  expect(sent.at(-1)?.body).toEqual({ code: 'the-code', password: 'marble otter lamp fiddle' });
  expect(page.text()).toContain('Sign in with your new password.');
});

it('if no email can be sent, both pages say whom to ask', async () => {
  const sentence = 'Ask an administrator for a new one.';
  const page = await openPage(App, '/sign-in', {
    ...offered,
    'GET /api/auth/methods': { body: { error: 0, data: { passwords: true, sso: null, reset: false } } },
    'POST /api/auth/password/forgot': {
      status: 403,
      body: { error: 1, message: 'This instance cannot email you a link.', code: 'mail_off' },
    },
  });
  await expect.poll(() => page.text(), { timeout: 10_000 }).toContain(sentence);
  expect(page.text()).not.toContain('Forgot password?');
  await page.router.push({ name: 'forgot' });
  await expect.poll(() => page.text(), { timeout: 10_000 }).not.toContain(sentence);
  await fill('Email or username', 'ada');
  await press('Send the link');
  await settle();
  expect(page.text()).toContain(sentence);
});
