import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminPage, openAdminPage } from '../support/admin-page.ts';
import { setupCode, startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

const password = 'marble otter lamp fiddle';
const formOf = (page: Page) => page.getByRole('dialog', { name: 'Edit link' });
const save = (page: Page) => formOf(page).getByRole('button', { name: /^Save/ }).click();

async function createAccount(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Username').fill(name.toLowerCase());
  await page.getByLabel('Email').fill(`${name.toLowerCase()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Three people and a server without an account; everything is done in the pages. */
describe.skipIf(!findChromium())('a team of three from nothing', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let ada: AdminPage;
  let ben: AdminPage;
  let carla: AdminPage;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** A retry begins with nothing, too. */
  async function startFromNothing(): Promise<void> {
    await server?.close();
    await Promise.all(browser.contexts().map((context) => context.close()));
    server = await startApp({ fresh: true, ratelimit: 10_000 });
    ada = await openAdminPage(browser, server.origin);
    ben = await openAdminPage(browser, server.origin);
    carla = await openAdminPage(browser, server.origin);
  }

  /** Sets the server up, creates a team and returns the invitation's link for two editors. */
  async function setUpTeam({ page }: AdminPage): Promise<string> {
    // As the server prints it.
    await page.goto(`${server.origin}/admin/#code=${setupCode}`);
    await createAccount(page, 'Ada');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.locator('[data-account-switcher]').click();
    await page.getByRole('menuitem', { name: 'Create a team…' }).click();
    await page.getByLabel('Team name').fill('Rockets');
    await page.keyboard.press('Enter');
    await page.getByText('You own this team.').waitFor();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /^Editor/ }).click();
    await page.getByLabel('Uses').fill('2');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await page.locator('[data-invite]').textContent();
    await page.getByRole('button', { name: 'Done' }).click();
    return String(link).trim();
  }

  async function joinBy(link: string, { page }: AdminPage, name: string): Promise<void> {
    await page.goto(link);
    await page.getByRole('heading', { name: 'Join Rockets' }).waitFor();
    await page.getByRole('link', { name: 'Create an account and join' }).click();
    await createAccount(page, name);
    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await page.getByLabel('Long URL').waitFor();
  }

  async function openForm(admin: AdminPage): Promise<void> {
    await admin.row('example.com/first').getByRole('link').first().click();
    await admin.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await formOf(admin.page).getByLabel('Destination').first().waitFor();
  }

  test('joins with one link, edits one link at the same time, loses no changes, and settles where it leads', async () => {
    await startFromNothing();
    const invitation = await setUpTeam(ada);
    await joinBy(invitation, ben, 'Ben');
    await joinBy(invitation, carla, 'Carla');

    // The owner sees both without asking, and the link that she makes is in their lists.
    for (const name of ['Ben', 'Carla']) {
      await ada.page.getByRole('button', { name: `Actions for ${name}` }).waitFor();
    }
    await ada.page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await ada.page.getByLabel('Long URL').fill('https://example.com/first');
    await ada.page.keyboard.press('Enter');
    await ada.row('example.com/first').waitFor();
    await openForm(ben);
    await openForm(carla);
    await formOf(ben.page).getByLabel('Destination').first().fill('https://example.com/of-ben');
    await formOf(carla.page).getByLabel('Destination').first().fill('https://example.com/of-carla');
    await formOf(carla.page).getByLabel('Note').first().fill('Note of Carla');

    // Both save at once; Carla's arrives second, whatever her page has heard by then.
    let release = () => {};
    const isSaved = new Promise<void>((resolve) => {
      release = resolve;
    });
    await carla.page.route('**/api/url/*/update', async (route) => {
      await isSaved;
      await route.continue();
    });
    await save(carla.page);
    await save(ben.page);
    await formOf(ben.page).waitFor({ state: 'detached' });
    release();

    // She is told who it was, what she typed stays, and she chooses.
    const notice = formOf(carla.page).locator('[data-others-edits]');
    await notice.getByText('Ben changed this while you were editing.').waitFor();
    const destination = notice.locator('[data-field="url"]');
    await destination.getByText('https://example.com/of-ben').waitFor();
    await destination.getByText('https://example.com/of-carla').waitFor();
    await destination.getByRole('radio').nth(1).check();
    await save(carla.page);
    await formOf(carla.page).waitFor({ state: 'detached' });

    // Both see how it ended, and who did what; Ben without a reload, and after one.
    const settled = async ({ page }: AdminPage): Promise<void> => {
      await page.getByText('Note of Carla').first().waitFor();
      const changes = page.getByRole('listitem').filter({ hasText: 'of-ben → ' });
      await changes.filter({ hasText: 'of-carla' }).filter({ hasText: 'Carla' }).first().waitFor();
      await page.getByRole('listitem').filter({ hasText: '→ https://example.com/of-ben' }).first().waitFor();
    };
    await settled(ben);
    await settled(carla);
    await ben.page.reload();
    await settled(ben);
    await ada.row('example.com/of-carla').waitFor();

    const short = await ada.row('example.com/of-carla').getByRole('link').first().getAttribute('aria-label');
    const visit = await fetch(`http://${String(short).trim()}`, { redirect: 'manual' });
    expect([visit.status, visit.headers.get('location')]).toEqual([302, 'https://example.com/of-carla']);
    for (const admin of [ada, ben, carla]) {
      expect(admin.elsewhere).toEqual([]);
      expect(admin.complaints).toEqual([]);
    }
  });
});
