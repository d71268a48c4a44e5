import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright';
import { administrator } from './app.ts';
import type { TestBrowser } from './browser.ts';

/** The admin UI in a browser, which records what must never happen there. */
export interface AdminPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Requests to other servers; there must be none. */
  readonly elsewhere: readonly string[];
  /** Script errors and console errors, except for refused requests. */
  readonly complaints: readonly string[];
  /** The row of a table with this text. */
  row(text: string | RegExp): Locator;
  /** Clicks undo in a toast with this text. */
  undo(text: string): Promise<void>;
}

/** Opens a browser window for the server at `origin`, without a session. */
export async function openAdminPage(
  browser: Pick<TestBrowser, 'newContext'>,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<AdminPage> {
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  const context = await browser.newContext({
    // axe injects a script, which the policy would block.
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
  // Slow, shared machines need longer timeouts.
  page.setDefaultTimeout(45_000);
  page.on('console', (message) => {
    // Refused requests are part of many tests; anything else is a bug.
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
 * Opens a page of the admin UI, `/links`, with a session created without the form: most tests are about what comes
 * after signing in.
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
  // Only a page of the instance can access its storage; this one has no scripts.
  await page.goto(`${origin}/admin/icon.svg`);
  await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
  await page.goto(`${origin}/admin${path}`);
}

/** Fills in and submits the sign-in form. */
export async function fillSignIn(
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.getByLabel('Email or username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Creates an account on an invitation page and joins with it. */
export async function joinAsNewcomer(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create an account and join' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
  await page.getByLabel('Username').fill('grace');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel('Password', { exact: true }).fill('marble otter lamp fiddle');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
