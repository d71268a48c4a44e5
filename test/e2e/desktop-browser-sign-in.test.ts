import { hostname } from 'node:os';
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { openAdminPage } from '../support/admin-page.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { type DesktopBench, desktopBench } from '../support/desktop-flow.ts';
import { httpServer } from '../support/desktop-parts.ts';
import { desktopRemotes, openInstanceForm, type Remotes, shownInstance } from '../support/desktop-remotes.ts';

const bench: DesktopBench = desktopBench();
const remotes: Remotes = desktopRemotes();
const device = `Waypost on ${hostname()}`;

/** The system's browser, which is not the app's window. */
let browser: TestBrowser;
beforeEach(async () => {
  browser = await openBrowser();
});
afterEach(() => browser?.close());

/** What a page of another site shows when it frames an address. */
async function framed(page: Page, address: string): Promise<string | null> {
  const site = await httpServer((_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`);
  });
  try {
    await page.goto(site.origin);
    return await page.frameLocator('iframe').locator('body').textContent();
  } finally {
    await site.close();
  }
}

test('a server is added, and signed in to again, through the browser, which says who asks and returns to the app', {
  tags: 'long',
}, async () => {
  const app = await bench.launchSetUp();
  const { page } = app;
  const { origin } = remotes.waypost();
  const { id: team } = await remotes.ask<{ id: number }>('POST', '/api/team/add', { name: 'Rockets' });
  const invite = { role: 'editor' };
  const { link } = await remotes.ask<{ link: string }>('POST', `/api/team/${team}/invite`, invite);
  const form = await openInstanceForm(page, link);
  await form.getByLabel('Name', { exact: true }).fill('Office');
  await form.getByRole('radio', { name: 'Your browser' }).check({ force: true });
  await form.getByRole('button', { name: 'Add and sign in' }).click();
  await form.getByText('Continue in your browser').waitFor();
  const { address } = await app.waitFor('opened');

  const there = await openAdminPage(browser, origin);
  // Whoever frames the question, to have it clicked unseen, gets nothing (T-41).
  expect(await framed(there.page, address)).not.toContain('Allow');
  await there.page.goto(address);
  await there.page.getByLabel('Email or username').fill('anna');
  await there.page.getByLabel('Password', { exact: true }).fill('correct horse');
  await there.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await there.page.getByRole('heading', { name: `${device} asks for access` }).waitFor();
  await expectAccessible(there.page);
  await there.page.getByRole('button', { name: 'Allow' }).click();
  await there.page.getByRole('heading', { name: 'You’re signed in' }).waitFor();
  // The address was an invitation, which is what the person came for.
  await page.getByText('You are a member of this team already.').waitFor();
  await page.getByRole('button', { name: 'Open team' }).click();
  await shownInstance(page, 'Office');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  const sessions = async () => {
    const reply = await remotes.ask<{ data: { sessions: { id: number; device: string }[] } }>(
      'GET',
      '/api/auth/sessions',
    );
    return reply.data.sessions;
  };
  const own = (await sessions()).filter((session) => session.device === device);
  expect(own).toHaveLength(1);

  // Signed out there, the page goes to the sign-in by itself, which offers the same; it can be given up and begun
  // again.
  await remotes.ask('DELETE', `/api/auth/session/${own[0]?.id}/delete`);
  await page.getByRole('button', { name: 'Sign in with your browser' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Sign in with your browser' }).click();
  await page.getByRole('button', { name: 'Open the browser again' }).click();
  const opened = () => app.told.flatMap((told) => (told.type === 'opened' ? [told.address] : []));
  await expect.poll(() => opened().length).toBe(4);
  await there.page.goto(opened().at(-1) ?? '');
  await there.page.getByRole('button', { name: 'Allow' }).click();
  await there.page.getByRole('heading', { name: 'You’re signed in' }).waitFor();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await shownInstance(page, 'Office');
});
