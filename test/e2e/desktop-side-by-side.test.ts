import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAdminPage, signInAt } from '../support/admin-page.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { type DesktopBench, desktopBench } from '../support/desktop-flow.ts';
import { desktopRemotes, openInstanceForm, type Remotes, shownInstance } from '../support/desktop-remotes.ts';

const bench: DesktopBench = desktopBench();
const remotes: Remotes = desktopRemotes();
const password = 'marble otter lamp';

let browser: TestBrowser;
/** The data folder of the second machine's app; the first one's is the bench's. */
let second: string;
beforeEach(async () => {
  second = mkdtempSync(join(tmpdir(), 'waypost-second-'));
  browser = await openBrowser();
});
afterEach(async () => {
  await browser?.close();
  rmSync(second, { recursive: true, force: true });
});

const formOf = (page: Page) => page.getByRole('dialog', { name: 'Edit link' });
const titleOf = (page: Page) => formOf(page).getByLabel('Title', { exact: true });
const save = (page: Page) => formOf(page).getByRole('button', { name: /^Save/ }).click();
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Adds the server of an invitation to an app, signs in there and joins. */
async function joinFrom(page: Page, link: string, username: string): Promise<void> {
  const form = await openInstanceForm(page, link);
  await form.getByLabel('Name', { exact: true }).fill('Office');
  await form.getByRole('radio', { name: 'Password' }).check({ force: true });
  await form.getByLabel('Email or username').fill(username);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Add and sign in' }).click();
  await page.getByRole('button', { name: /^Join/ }).click();
  await shownInstance(page, 'Office');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

async function openForm(page: Page): Promise<void> {
  await rowOf(page, 'rocket').first().getByRole('link').first().click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await titleOf(page).waitFor();
}

test('two desktops and a browser edit one link: each sees the others, and nobody loses changes', {
  tags: 'long',
}, async () => {
  for (const username of ['ben', 'carla']) {
    const body = { username, email: `${username}@example.com`, password, name: username };
    await remotes.ask('POST', '/api/user/add', body);
  }
  const { id: team } = await remotes.ask<{ id: number }>('POST', '/api/team/add', { name: 'Rockets' });
  const { link } = await remotes.ask<{ link: string }>('POST', `/api/team/${team}/invite`, {
    role: 'editor',
    uses: 2,
  });
  const [one, two] = [await bench.launchSetUp(), await bench.launchSetUp({ userData: second })];
  await joinFrom(one.page, link, 'ben');
  await joinFrom(two.page, link, 'carla');
  const { page: web } = await openAdminPage(browser, remotes.waypost().origin);
  await signInAt(web, remotes.waypost().origin, `/team/${team}/links`, {
    username: 'anna',
    password: 'correct horse',
  });

  // What the browser makes is in the lists of both apps.
  for (const { page } of [one, two]) {
    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await page.getByLabel('Long URL').waitFor();
  }
  await web.getByLabel('Long URL').fill('https://example.com/rocket');
  await web.keyboard.press('Enter');
  for (const page of [web, one.page, two.page]) await rowOf(page, 'example.com/rocket').first().waitFor();

  await openForm(one.page);
  await openForm(two.page);
  await titleOf(two.page).fill('rocket of carla');
  await formOf(two.page).getByLabel('Note').first().fill('Note of carla');
  await titleOf(one.page).fill('rocket of ben');
  await save(one.page);
  await formOf(one.page).waitFor({ state: 'detached' });

  // The browser's list has it, and the other form asks.
  await rowOf(web, 'rocket of ben').first().waitFor();
  const notice = formOf(two.page).locator('[data-others-edits]');
  await notice.getByText('ben changed this while you were editing').waitFor();
  await notice.getByRole('button', { name: 'Show changes' }).click();
  const choice = notice.locator('[data-field="title"]');
  await choice.getByText('rocket of ben').waitFor();
  await expect.poll(() => titleOf(two.page).inputValue()).toBe('rocket of carla');
  await choice.getByRole('radio').nth(1).check();
  await save(two.page);
  await formOf(two.page).waitFor({ state: 'detached' });

  await rowOf(web, 'rocket of carla').first().waitFor();
  await one.page.getByText('Note of carla').first().waitFor();
  await one.page.getByText('rocket of carla').first().waitFor();
});
