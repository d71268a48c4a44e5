import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage } from '../support/admin-page.ts';
import { administrator, startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { virtualAuthenticator } from '../support/virtual-authenticator.ts';

/** Passkeys in the built pages, with the virtual authenticator that Chromium has for this. */
describe.skipIf(!findChromium())('passkeys', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    page = admin.page;
  });
  afterAll(async () => {
    expect(admin.elsewhere).toEqual([]);
    expect(admin.complaints).toEqual([]);
    await browser?.close();
    await server?.close();
  });

  test('are added with the password, used to sign in without it, and useless once removed', async () => {
    const device = await virtualAuthenticator(admin);
    await page.goto(`${server.origin}/admin/sign-in`);
    await page.getByLabel('Email or username').fill(administrator.username);
    await page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/overview/);

    await page.goto(`${server.origin}/admin/settings/security`);
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Passkeys' }) });
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    await section.getByRole('textbox', { name: 'Current password' }).fill('wrong');
    await section.getByRole('button', { name: 'Continue' }).click();
    await section.getByText('The current password is wrong.').waitFor();
    await expectAccessible(page);
    await section.getByRole('textbox', { name: 'Current password' }).fill(administrator.password);
    await section.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Passkey added', { exact: true }).waitFor();
    expect(await device.credentials()).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }]);

    await section.getByRole('button', { name: /^Rename / }).click();
    await section.getByRole('textbox', { name: 'Name' }).fill('My laptop');
    await page.keyboard.press('Enter');
    await section.getByText('My laptop').waitFor();
    await expectAccessible(page);

    await section.getByRole('button', { name: 'Add a passkey' }).click();
    await section.getByRole('textbox', { name: 'Current password' }).fill(administrator.password);
    await section.getByRole('button', { name: 'Continue' }).click();
    await section.getByText('This device already has a passkey for your account.').waitFor();

    await page.evaluate(() => localStorage.clear());
    // Offered where the user name is typed; the authenticator chooses at once.
    await page.goto(`${server.origin}/admin/sign-in?return=/links`);
    await page.waitForURL(/\/admin\/links/);

    await page.evaluate(() => localStorage.clear());
    await device.refuse();
    await page.goto(`${server.origin}/admin/sign-in?return=/links`);
    // Whoever presses the button ends the offer, which would otherwise take what is agreed to.
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('You weren’t signed in').waitFor();
    await expectAccessible(page);
    await device.agree();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(/\/admin\/links/);

    await page.goto(`${server.origin}/admin/settings/security`);
    await section.getByRole('button', { name: 'Remove My laptop' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Passkey removed', { exact: true }).waitFor();
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${server.origin}/admin/sign-in`);
    await page.getByText('This passkey is not accepted here.').waitFor();

    await device.refuse();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('You weren’t signed in').waitFor();
  });

  test('are explained as unavailable at an IP address', { tags: 'long' }, async () => {
    const other = await openAdminPage(browser, `http://127.0.0.1:${server.port}`);
    await other.page.goto(`http://127.0.0.1:${server.port}/admin/sign-in`);
    await other.page.getByLabel('Email or username').fill(administrator.username);
    expect(await other.page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    await other.page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.page.waitForURL(/\/overview/);
    await other.page.goto(`http://127.0.0.1:${server.port}/admin/settings/security`);
    await other.page.getByText('Passkeys do not work at a bare IP address.').waitFor();
    await other.context.close();
  });
});
