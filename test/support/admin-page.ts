import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright';
import { administrator } from './app.ts';
import type { TestBrowser } from './browser.ts';

/** The admin UI in a browser, which remembers what must never happen there. */
export interface AdminPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Requests to anybody but the server; none is wanted. */
  readonly elsewhere: readonly string[];
  /** What went wrong in scripts or was complained about in the console, but for refused requests. */
  readonly complaints: readonly string[];
  /** The row of a table with this text. */
  row(text: string | RegExp): Locator;
  /** Takes back what a toast with this text offers to take back. */
  undo(text: string): Promise<void>;
}

/** Opens a browser's window for the server at `origin`. Nobody is signed in there. */
export async function openAdminPage(
  browser: Pick<TestBrowser, 'newContext'>,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<AdminPage> {
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  const context = await browser.newContext({
    // axe adds a script of its own, which the policy would forbid.
    bypassCSP: true,
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  context.on('request', (request) => {
    const isOwn = request.url().startsWith(`${origin}/`) || /^(data|blob):/.test(request.url());
    if (!isOwn) elsewhere.push(request.url());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  const page = await context.newPage();
  // Half a slow machine needs patience.
  page.setDefaultTimeout(45_000);
  page.on('console', (message) => {
    // A refused request is part of many tests; everything else is a mistake.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  return {
    context,
    page,
    elsewhere,
    complaints,
    row: (text) => page.getByRole('row').filter({ hasText: text }),
    undo: (text) =>
      page.locator('li').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click(),
  };
}

/**
 * Opens a page of the admin UI, `/links`, with a session that was begun without the form: most tests are about what
 * comes after it.
 */
export async function signInAt(
  page: Page,
  origin: string,
  path = '/',
  { username, password }: { username: string; password: string } = administrator,
): Promise<void> {
  const data = { login: username, password, device: 'Chrome on Linux' };
  const reply = await page.request.post(`${origin}/api/auth/login`, { data });
  if (!reply.ok()) throw new Error(`The sign-in was refused: ${await reply.text()}`);
  const { token } = (await reply.json()).data;
  // Only a page of the instance can reach its storage; this one has no scripts.
  await page.goto(`${origin}/admin/icon.svg`);
  await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
  await page.goto(`${origin}/admin${path}`);
}

/** Fills in the sign-in form that is shown, and sends it. */
export async function fillSignIn(
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.getByLabel('Email or username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Creates an account on the page of an invitation and joins with it, as somebody who has none there does. */
export async function joinAsNewcomer(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create an account and join' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
  await page.getByLabel('Username').fill('grace');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel('Password', { exact: true }).fill('marble otter lamp fiddle');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
