import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { openAdminPage, signInAt } from '../support/admin-page.ts';
import { administrator, startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { testClock } from '../support/clock.ts';
import { findChromium } from '../support/provision.ts';
import { totpCode } from '../support/totp.ts';
import { some } from '../support/trials.ts';

/** The settings of an account in the built pages: second factor, API keys, and people who are invited. */
describe.skipIf(!findChromium())('account settings', () => {
  const clock = testClock();
  let server: TestApp;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let elsewhere: string[];

  beforeAll(async () => {
    server = await startApp({ clock, ratelimit: 10_000 });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    elsewhere = [];
    // axe adds a script of its own, which the policy would forbid.
    context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      bypassCSP: true,
      reducedMotion: 'reduce',
    });
    context.on('request', (request) => {
      const isOwn = request.url().startsWith(server.origin) || /^(data|blob):/.test(request.url());
      if (!isOwn) elsewhere.push(request.url());
    });
    page = await context.newPage();
    page.setDefaultTimeout(45_000);
  });
  afterEach(async () => {
    await context.close();
    expect(elsewhere).toEqual([]);
  });

  async function signIn(): Promise<void> {
    await page.goto(`${server.origin}/admin/sign-in`);
    await page.getByLabel('Email or username').fill(administrator.username);
    await page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  test('ending a session elsewhere leads an idle page to the sign-in, which gives the reason and leads back', {
    tags: 'long',
  }, async () => {
    await signIn();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${server.origin}/admin/settings/preferences`);
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    const { data } = (await server.request('GET', '/api/auth/sessions')).body;
    const others = data.sessions.filter(({ current }: { current: boolean }) => !current);
    for (const { id } of others) await server.request('DELETE', `/api/auth/session/${id}/delete`);
    await page.getByText('Your session has ended. Sign in again to continue.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Email or username').fill(administrator.username);
    await page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
  });

  test('a selected language applies immediately, and from the start after a reload', {
    tags: 'long',
  }, async () => {
    await signInAt(page, server.origin, '/settings/preferences');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'العربية' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.getByRole('heading', { name: 'التفضيلات' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'التفضيلات' }).waitFor();
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
      'ar',
      'rtl',
    ]);
    await server.request('PUT', '/api/account/update', { body: { language: '' } });
    await page.reload();
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
  });

  test('the second factor is turned on, required at sign-in, and turned off with the password', async () => {
    await signInAt(page, server.origin, '/settings/security');
    await page.getByRole('button', { name: 'Set up' }).click();
    const secret = (await page.locator('[data-secret]').textContent())?.replace(/\s/g, '') ?? '';
    await expectAccessible(page);
    await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, clock.now()));
    await page.getByText('Save these recovery codes').waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').count())
      .toBe(10);
    await expectAccessible(page);
    await page.getByLabel('Done, I saved them').click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Turn off…' }).waitFor();

    await page.evaluate(() => localStorage.clear());
    // A code works once only; the next one is asked for.
    clock.advance(30_000);
    await signIn();
    await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, clock.now()));
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.waitForURL(/\/overview/);

    await page.goto(`${server.origin}/admin/settings/security`);
    await page.getByRole('button', { name: 'Turn off…' }).click();
    await page.getByLabel('With your password').click();
    await page.getByRole('textbox', { name: 'Current password' }).first().fill(administrator.password);
    await page.getByRole('button', { name: 'Turn off', exact: true }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
  });

  test('a read-only key is shown once, can read, and cannot change anything', { tags: 'long' }, async () => {
    await signInAt(page, server.origin, '/settings/keys');
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByLabel('Name').fill('Reporting');
    await page.getByText('Read only').click();
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('[data-new-key]').textContent()) ?? '';
    expect(key).toMatch(/^wp_/);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done, I saved it' }).click();

    const line = page.getByRole('listitem').filter({ hasText: 'Reporting' });
    await line.getByText('Read only').waitFor();
    await page.reload();
    await line.waitFor();
    expect(await page.content()).not.toContain(key);

    expect((await server.request('GET', '/api/urls', { key })).status).toBe(200);
    const refused = await server.request('POST', '/api/url/add', {
      key,
      body: { url: 'https://example.com/' },
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
    await page.reload();
    await line.getByText(/Used .+ from 127\.0\.0\.1$/).waitFor();
  });

  test('a new password revokes the API keys unless told to keep them', { tags: 'long' }, async () => {
    const passwords = ['the first of three', 'the second of three', 'the third of three'] as const;
    const added = await server.request('POST', '/api/user/add', {
      body: { username: 'carla', email: 'carla@example.com', password: passwords[0] },
    });
    expect(added.status).toBe(200);
    const login = await server.request('POST', '/api/auth/login', {
      key: null,
      body: { login: 'carla', password: passwords[0] },
    });
    const session = login.body.data.token;
    const addKey = async (name: string): Promise<string> =>
      (await server.request('POST', '/api/key/add', { key: session, body: { name } })).body.data.api_key;
    const statusOf = async (key: string) => (await server.request('GET', '/api/account', { key })).status;
    const [key] = [await addKey('One'), await addKey('Two')] as const;

    await signInAt(page, server.origin, '/settings/security', { username: 'carla', password: passwords[0] });
    const change = async (current: string, next: string) => {
      await page.goto(`${server.origin}/admin/settings/security`);
      const box = page.getByRole('checkbox', { name: 'Also revoke my API keys' });
      await box.waitFor();
      await expect.poll(() => box.isChecked()).toBe(true);
      await page.getByRole('textbox', { name: 'Current password' }).fill(current);
      await page.getByRole('textbox', { name: 'New password' }).fill(next);
      return box;
    };

    const box = await change(passwords[0], passwords[1]);
    await page.getByText(/keys stop working immediately/).waitFor();
    await box.click();
    await page.getByText(/^\d keys keep working/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed', { exact: true }).first().waitFor();
    expect(await statusOf(key)).toBe(200);
    expect(await statusOf(session)).toBe(401);

    await change(passwords[1], passwords[2]);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed', { exact: true }).first().waitFor();
    // None is left to ask about.
    await page.getByRole('checkbox', { name: 'Also revoke my API keys' }).waitFor({ state: 'detached' });
    expect(await statusOf(key)).toBe(401);
    await page.goto(`${server.origin}/admin/settings/keys`);
    await page.getByRole('button', { name: 'New key' }).first().waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Two' }).count()).toBe(0);
  });

  test('an invitation leads to a new account', { tags: 'long' }, async () => {
    await signInAt(page, server.origin, '/settings/users');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const invitation = new URL((await page.locator('[data-invite]').textContent()) ?? '');

    const guest = await (await browser.newContext()).newPage();
    await guest.goto(server.origin + invitation.pathname + invitation.hash);
    await guest.getByLabel('Username').fill('ben');
    await guest.getByLabel('Email').fill('ben@example.com');
    await guest.getByLabel('Password', { exact: true }).fill('a long enough one 7');
    await guest.getByRole('button', { name: 'Create account' }).click();
    await guest.getByText('You’re all set').waitFor();
    await guest.getByRole('button', { name: 'Continue' }).click();
    await guest.goto(`${server.origin}/admin/settings`);
    await guest.getByRole('link', { name: 'Profile' }).waitFor();
    // Nothing of the administration is offered to accounts without administrator rights.
    expect(await guest.getByRole('link', { name: 'Instance' }).count()).toBe(0);
    await guest.context().close();
  });
});

describe.skipIf(!findChromium())('the settings', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    ({ page } = await openAdminPage(browser, server.origin));
    await signInAt(page, server.origin, '/settings');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const sections = ['profile', 'preferences', 'security', 'keys', 'users', 'plans', 'instance', 'about'];
  test.each(some(sections, { from: 2, short: 1 }))(
    'have a section %s that is accessible in both themes',
    async (section) => {
      await page.goto(`${server.origin}/admin/settings/${section}`);
      await page.getByRole('main').getByRole('heading', { level: 2 }).nth(3).waitFor();
      // The live stream stays open, so the network is never idle; what is on its way says so.
      await expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0);
      await expectAccessible(page, { inBothThemes: true });
    },
  );
});
