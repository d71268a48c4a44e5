import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { administrator } from './app.ts';

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
  browser: Browser,
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

/** Signs in by the form as a person does, and goes on to a page: `/links`. */
export async function signInAt(
  page: Page,
  origin: string,
  path = '/',
  { username, password }: { username: string; password: string } = administrator,
): Promise<void> {
  await page.goto(`${origin}/admin/sign-in?return=${path}`);
  await fillSignIn(page, { username, password });
}

/** Fills in the sign-in form that is shown, and sends it. */
export async function fillSignIn(
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.getByLabel('E-mail or user name').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** What of axe's rules is about colours; a theme has no say in the others. */
const colorRules = ['color-contrast', 'link-in-text-block'];

interface FaultOptions {
  /** The browser can open no other page, which axe otherwise does to put together what it found in frames. */
  readonly isAlone?: boolean;
  /** All of axe's rules unless told otherwise. */
  readonly rules?: readonly string[];
}

/** What axe finds wrong with the page as it is, one line for each rule. */
export async function faultsOf(page: Page, { isAlone = false, rules }: FaultOptions = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(isAlone);
  const { violations } = await (rules ? axe.withRules([...rules]) : axe).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Fails unless axe finds nothing wrong with the page in either theme. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await faultsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await faultsOf(page, { rules: colorRules })).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}
