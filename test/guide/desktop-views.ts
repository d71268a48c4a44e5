import type { Page } from 'playwright';
import { standInDesktop, unprovedHost } from './desktop-stand-in.ts';
import { icon, press } from './steps.ts';
import type { View } from './view.ts';

/** Enters where a new instance is, and goes on to the next step of its form. */
const add = (address: string) => async (page: Page) => {
  await press('plus')(page);
  const form = page.getByRole('dialog');
  await form.locator('input').first().fill(address);
  await form.locator('[type="submit"]').click({ timeout: 15_000 });
  await form.locator('input:disabled').waitFor({ timeout: 15_000 });
};

/** Chooses an instance to copy from. */
async function chooseSource(page: Page): Promise<void> {
  await page.locator('main form [role="combobox"]').first().click({ timeout: 15_000 });
  await page.getByRole('option').first().click({ timeout: 15_000 });
}

const views: readonly View[] = [
  { name: 'instances', path: '/instances' },
  { name: 'instance-add', path: '/instances', steps: press('plus'), form: 'InstanceSlideover' },
  { name: 'instance-unproved', path: '/instances', steps: add(unprovedHost) },
  { name: 'instance-sign-in', path: '/instances', steps: add('go.northwind-coffee.example') },
  {
    name: 'instance-edit',
    path: '/instances',
    steps: async (page) => {
      await page.locator(`main li:nth-child(2) button:has(${icon('ellipsis')})`).click({ timeout: 15_000 });
      await page.locator(`[role="menuitem"]:has(${icon('pencil')})`).click({ timeout: 15_000 });
      await page.getByRole('dialog').waitFor({ timeout: 15_000 });
    },
  },
  {
    name: 'instance-certificate',
    path: '/instances',
    steps: press('fingerprint'),
    form: 'CertificateSlideover',
  },
  { name: 'transfer', path: '/transfer' },
  { name: 'transfer-source', path: '/transfer', steps: chooseSource, at: '/transfer' },
  {
    name: 'transfer-preview',
    path: '/team/{team}/transfer',
    steps: async (page) => {
      await chooseSource(page);
      await page.locator('main form [type="submit"]').click({ timeout: 15_000 });
      await page.locator('main tbody tr, main [role="row"]').nth(1).waitFor({ timeout: 15_000 });
    },
    at: '/transfer',
  },
  { name: 'settings-desktop', path: '/settings/desktop' },
];

/** The pages that only the desktop app has. */
export const desktopViews: readonly View[] = views.map((view) => ({ prepare: standInDesktop, ...view }));
