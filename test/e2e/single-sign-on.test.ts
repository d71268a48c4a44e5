import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { openAdminPage, signInAt } from '../support/admin-page.ts';
import { administrator, startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { virtualAuthenticator } from '../support/virtual-authenticator.ts';

/** Single sign-on in the built pages, with a certified OpenID Connect provider of its own. */
describe.skipIf(!findChromium())('single sign-on', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let issuer: string;
  let listening: Server;

  beforeEach(async () => {
    server = await startApp({
      ratelimit: 10_000,
      settings: { allowedPrivateRanges: ['127.0.0.0/8', '::1/128'] },
    });
    listening = createServer();
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    issuer = `http://localhost:${(listening.address() as AddressInfo).port}`;
    listening.on('request', provider(issuer, server.origin).callback());
    browser = await openBrowser();
  });
  afterEach(async () => {
    await browser?.close();
    await server?.close();
    listening?.closeAllConnections();
    listening?.close();
  });

  test('is configured in the settings, creates an account, links another, and replaces passwords', {
    tags: 'long',
  }, async () => {
    const admin = await openAdminPage(browser, server.origin);
    const { page } = admin;
    await signInAt(page, server.origin);
    await page.goto(`${server.origin}/admin/settings/sso`);
    await page.getByLabel('Issuer').fill('http://localhost:1');
    await page.getByLabel('Client ID').fill('waypost');
    await page.getByRole('textbox', { name: 'Client secret' }).fill('a secret of the client');
    await page.getByLabel('Name on the button').fill('Example ID');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('The provider cannot be reached').waitFor();
    await page.getByLabel('Issuer').fill(issuer);
    await page.getByRole('textbox', { name: 'Client secret' }).fill('the secret of another client');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Test' }).isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('does not accept the client ID or the client secret').waitFor();
    await page.getByRole('textbox', { name: 'Client secret' }).fill('a secret of the client');
    await page.getByLabel('Issuer').fill(issuer);
    await page.getByLabel('Offer single sign-on').click();
    await page.getByLabel('Create an account at the first sign-in').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Test' }).isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('The provider responds', { exact: true }).waitFor();
    await expectAccessible(page);

    const team = await server.request('POST', '/api/team/add', { body: { name: 'Rockets' } });
    await page.reload();
    await page.getByLabel('Claim for teams').fill('groups');
    const rows = page.locator('[data-claim-row]');
    await page.getByRole('button', { name: 'Add a value' }).last().click();
    await rows.getByLabel('Value of the claim').fill('developers');
    await rows.getByLabel('Role').click();
    await page.getByRole('option', { name: 'Editor' }).click();
    const trial = page.locator('[data-claim-trial]');
    await page.getByLabel('Try values').fill('nothing of these');
    await expect.poll(() => trial.textContent()).toContain('These values have no effect.');
    await page.getByLabel('Try values').fill('other, developers');
    await expect.poll(() => trial.textContent()).toContain('Rockets as Editor');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await server.request('GET', '/api/sso')).body.data.teams)
      .toEqual([{ value: 'developers', team: team.body.id, role: 'editor' }]);

    const other = await openAdminPage(browser, server.origin);
    await other.page.goto(`${server.origin}/admin/sign-in?return=/links`);
    await other.page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor();
    await expectAccessible(other.page);
    await other.page.getByRole('button', { name: 'Sign in with Example ID' }).click();
    await enter(other.page, 'carla');
    await other.page.waitForURL(/\/admin\/links/);
    expect(other.page.url()).not.toContain('code=');
    await other.page.goto(`${server.origin}/admin/settings/security`);
    await other.page.getByRole('button', { name: 'Unlink carla@example.com' }).waitFor();
    expect(await other.page.getByRole('textbox', { name: 'Current password' }).count()).toBe(0);
    await expectAccessible(other.page);

    // Who has no password signs in anew where others enter theirs: at the provider, or with a passkey.
    await virtualAuthenticator(other);
    const passkeys = other.page.locator('section', {
      has: other.page.getByRole('heading', { name: 'Passkeys' }),
    });
    server.clock.advance(6 * 60_000);
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await passkeys.getByRole('button', { name: 'Continue' }).click();
    await passkeys.getByText('Sign in again to do this').waitFor();
    await passkeys.getByRole('button', { name: 'Sign in with Example ID' }).click();
    await other.page.waitForURL(/\/admin\/settings\/security/);
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await passkeys.getByRole('button', { name: 'Continue' }).click();
    await other.page.getByText('Passkey added', { exact: true }).waitFor();
    server.clock.advance(6 * 60_000);
    const password = other.page.locator('section', {
      has: other.page.getByRole('heading', { name: 'Password', exact: true }),
    });
    await password.getByRole('textbox').fill('marble otter lamp fiddle');
    await password.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await password.getByText('Signed in again.').waitFor();
    await password
      .getByRole('button', { name: /password/ })
      .last()
      .click();
    await other.page.getByText('Password changed').first().waitFor();
    const byPassword = { login: 'carla', password: 'marble otter lamp fiddle' };
    const signedIn = await server.request('POST', '/api/auth/login', { key: null, body: byPassword });
    expect(signedIn.status).toBe(200);
    // An answer that was begun in no tab, or in another one, signs nobody in.
    await other.page.evaluate(() => localStorage.clear());
    await other.page.goto(`${server.origin}/admin/signed-in?code=x&state=y`);
    await other.page.getByText('begun in another window').waitFor();
    await expectAccessible(other.page);
    await other.context.close();

    await page.goto(`${server.origin}/admin/settings/security`);
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Single sign-on' }) });
    await card.getByRole('button', { name: 'Link account' }).click();
    await card.getByRole('textbox', { name: 'Current password' }).fill(administrator.password);
    await card.getByRole('button', { name: 'Continue' }).click();
    await enter(page, 'anna');
    await page.getByText('Account linked', { exact: true }).waitFor();
    await card.getByText('anna@example.com').waitFor();

    await page.goto(`${server.origin}/admin/settings/sso`);
    await page.getByLabel('Allow passwords, too').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Test' }).isEnabled()).toBe(true);
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${server.origin}/admin/sign-in`);
    await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor();
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
    await page.waitForURL(/\/overview/);
    // The provider's own pages ask for a font that is not here.
    expect(admin.complaints.filter((text) => !text.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([]);
    await admin.context.close();
  });
});

/** Signs in on the provider's own pages, which take any password, and agrees to what is asked. */
async function enter(page: import('playwright').Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.locator('button[type=submit]').click();
}

function provider(issuer: string, origin: string): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: 'waypost',
        client_secret: 'a secret of the client',
        redirect_uris: [`${origin}/admin/signed-in`],
        token_endpoint_auth_method: 'client_secret_post',
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id }),
    }),
  });
}
