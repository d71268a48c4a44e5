import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

interface IconSet {
  icons: Record<string, { body: string }>;
  aliases: Record<string, { parent: string }>;
}
const lucide: IconSet = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@iconify-json/lucide/icons.json'), 'utf8'),
);

/** The selector of an icon by its name, which is the same in every language: icons are drawn without a name. */
export function icon(name: string): string {
  const { body } = lucide.icons[name] ?? lucide.icons[lucide.aliases[name]?.parent ?? ''] ?? { body: '' };
  const [, shape, drawn = ''] = /<(path|circle) ([^>]+)/.exec(body) ?? [];
  if (shape === undefined) throw new Error(`there is no icon ${name}`);
  const places = [...drawn.matchAll(/\b(d|cx|cy|r)="([^"]+)"/g)];
  return `svg ${shape}${places.map(([, at, value]) => `[${at}="${value}"]`).join('')}`;
}

/** Opens the form that the page's own button opens: the last one of its header. */
export async function openForm(page: Page): Promise<void> {
  await page.locator('[data-page-actions] button').last().click({ timeout: 15_000 });
  await page.getByRole('dialog').first().waitFor({ timeout: 15_000 });
}

/** Opens the form behind the button of the page that has this icon. */
export const press = (name: string) => async (page: Page) => {
  await page
    .locator(`main button:has(${icon(name)})`)
    .first()
    .click({ timeout: 15_000 });
  await page.getByRole('dialog').first().waitFor({ timeout: 15_000 });
};

/** Opens the form behind the item with this icon, in the first menu of a row. */
export const choose = (name: string) => async (page: Page) => {
  await page
    .locator(`main button:has(${icon('ellipsis')})`)
    .first()
    .click({ timeout: 15_000 });
  await page
    .locator(`[role="menuitem"]:has(${icon(name)})`)
    .first()
    .click({ timeout: 15_000 });
  await page.getByRole('dialog').first().waitFor({ timeout: 15_000 });
};

/** Selects the rows of a list and opens the form behind the item with this icon, in the menu of the selection. */
export const chooseForSelected = (name: string) => async (page: Page) => {
  // Keys do nothing before there are rows.
  await page.locator('tbody input[type="checkbox"]').first().waitFor({ timeout: 15_000 });
  await page.keyboard.press('a');
  const bar = page.locator(`main div:has(> button:has(${icon('megaphone')}))`).last();
  await bar.locator(`button:has(${icon('ellipsis')})`).click({ timeout: 15_000 });
  await page
    .locator(`[role="menuitem"]:has(${icon(name)})`)
    .first()
    .click({ timeout: 15_000 });
  await page.getByRole('dialog').first().waitFor({ timeout: 15_000 });
};

/** Opens the form of the record that a page shows. */
export async function edit(page: Page): Promise<void> {
  await page.locator('[data-page-actions] button').first().waitFor({ timeout: 15_000 });
  await page.keyboard.press('e');
  await page.getByRole('dialog').first().waitFor({ timeout: 15_000 });
}

/** Opens the first record of a list. */
export const first = (path: string) => async (page: Page) => {
  const href = await page
    .locator(`main a[href*="/admin/${path}/"]`)
    .first()
    .getAttribute('href', { timeout: 15_000 });
  await page.goto(new URL(href ?? '', page.url()).href);
  await page.locator('main').first().waitFor();
};
/** Opens a section of the form of a new link, by its place among the closed ones. */
export async function openSection(page: Page, place: number): Promise<void> {
  await openForm(page);
  await page.locator('#link-form [data-state="closed"] > button').nth(place).click({ timeout: 15_000 });
}

/** Uploads a picture into each field of a picture that is there. */
export async function uploadPictures(page: Page): Promise<void> {
  const fields = page.locator('[data-picture]');
  await fields.first().waitFor({ timeout: 15_000 });
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#1E3A5F"/><circle cx="150" cy="100" r="60" fill="#F2C14E"/></svg>';
  const picture = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) };
  for (const field of await fields.all()) {
    await field.locator('input[type="file"]').setInputFiles(picture);
    await field.locator('img').waitFor({ timeout: 15_000 });
  }
}

/**
 * Types into the form of the link that a page shows while somebody else changes the same fields, and has both shown.
 */
export async function meetOther(page: Page): Promise<void> {
  await edit(page);
  await page.locator('#link-form textarea').first().fill('https://www.northwind-coffee.example/mine');
  const [id] = /\d+$/.exec(new URL(page.url()).pathname) ?? [];
  const url = `https://shop.northwind-coffee.example/theirs?${Date.now()}`;
  await ask(page, 'PUT', `/url/${id}/update`, { url });
  const notice = page.locator('[data-others-edits]');
  await notice.getByRole('button').first().click({ timeout: 15_000 });
  await notice.locator('[data-field]').first().waitFor({ timeout: 15_000 });
}

/** Sends a request as whoever is signed in, past the page. */
async function ask(page: Page, method: string, path: string, body?: object): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('waypost:local:token'));
  const { origin } = new URL(page.url());
  await page.request.fetch(`${origin}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { data: body }),
  });
}

/**
 * Submits the form that is open and, once the page shows the secret of what was created, deletes that at the path that
 * `at` returns: the pictures after this one are to show the same lists.
 */
export async function createOnce(page: Page, at: (id: number) => string): Promise<void> {
  const isCreation = (url: URL) => /^\/api\/.+\/(?:add|invite)$/.test(url.pathname);
  const reply = page.waitForResponse((response) => isCreation(new URL(response.url())), { timeout: 15_000 });
  await page.getByRole('dialog').locator('[type="submit"]').click({ timeout: 15_000 });
  const { id } = (await (await reply).json()) as { id: number };
  await page.locator('[role="dialog"] code').first().waitFor({ timeout: 15_000 });
  await ask(page, 'DELETE', at(id));
}
