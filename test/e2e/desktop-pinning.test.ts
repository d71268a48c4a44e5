import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { administrator } from '../support/app.ts';
import { faultsOf } from '../support/axe.ts';
import { selfSigned } from '../support/certificates.ts';
import { type DesktopBench, desktopBench } from '../support/desktop-flow.ts';
import { impostorWith, type TappedOffice, tappedOffice } from '../support/tapped-office.ts';

const bench: DesktopBench = desktopBench();
let office: TappedOffice;

beforeEach(async () => {
  office = await tappedOffice();
});
afterEach(() => office.close());

const form = (page: Page) => page.getByRole('dialog');

async function openForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Instance:/ }).click();
  await page.getByRole('menuitem', { name: 'Add an instance…' }).click();
  await form(page).getByLabel('URL').waitFor();
}

/** The fingerprint below a heading, put together again. */
async function shownAs(page: Page, label: string): Promise<string> {
  return (await form(page).getByLabel(label).locator('span').allTextContents()).join(':');
}

const rootOf = async () =>
  (await office.server.request('GET', '/api/domains/sync')).body.data.own.root as string;

test('another instance in the network is verified, used, and not mistaken for an impostor', {
  tags: 'long',
}, async () => {
  const app = await bench.launchSetUp();
  const { page } = app;
  const root = await rootOf();
  await openForm(page);
  await form(page).getByLabel('URL').fill('http://192.0.2.7:8420');
  await form(page).getByText('This connection isn’t encrypted').waitFor();
  await form(page).getByRole('button', { name: 'Continue' }).click();
  await form(page).getByText('Confirm this, or enter a URL with https.').waitFor();
  await form(page).getByLabel('URL').fill(office.https);
  await form(page).getByRole('button', { name: 'Continue' }).click();

  await form(page).getByText('Is this the right server?').waitFor();
  await expect.poll(() => shownAs(page, 'Presented fingerprint (SHA-256)')).toBe(root);
  await form(page).getByRole('button', { name: 'Trust this server' }).click();
  await form(page).getByText('Compare the fingerprint on the other computer first.').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await form(page).getByRole('checkbox').check();
  await form(page).getByRole('button', { name: 'Trust this server' }).click();
  await form(page).getByLabel('Name', { exact: true }).fill('Waypost on desk');
  await form(page).getByLabel('Email or username').fill(administrator.username);
  await form(page).getByLabel('Password', { exact: true }).fill(administrator.password);
  await form(page).getByRole('button', { name: 'Add and sign in' }).click();
  await page.getByRole('button', { name: /Instance:.*Waypost on desk/ }).waitFor();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(office.line.heard().toString('latin1')).not.toContain(administrator.password);

  // Somebody takes the place of the server.
  const evil = await impostorWith(await selfSigned({ names: ['127.0.0.1'] }));
  try {
    office.line.leadTo(evil.port);
    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await page.getByText('This server’s certificate isn’t the one you accepted.').waitFor();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'Waypost on desk' });
    await card.getByText('Nothing was sent.').waitFor();
    await card.getByRole('button', { name: 'Compare the certificate' }).click();
    await form(page)
      .getByText(/^The certificate of .* has changed$/)
      .waitFor();
    await expect.poll(() => shownAs(page, 'Fingerprint you accepted before')).toBe(root);
    expect(await faultsOf(page)).toEqual([]);
    expect(evil.seen).toEqual([]);
    await form(page).getByRole('button', { name: 'Cancel' }).click();

    // The right one is back: nothing has to be done.
    office.line.leadTo(office.server.httpsPort);
    await page.getByText('not reachable').waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    expect(evil.seen).toEqual([]);

    // And the wrong one is accepted after all, by somebody who knows what they do.
    office.line.leadTo(evil.port);
    await page.getByRole('button', { name: /Instance:/ }).click();
    await page.getByRole('menuitem', { name: 'Manage instances' }).click();
    await card.getByRole('button', { name: 'Compare the certificate' }).click();
    await form(page).getByRole('checkbox').check();
    await form(page).getByRole('button', { name: 'Trust this certificate' }).click();
    await expect.poll(() => evil.seen.length).toBeGreaterThan(0);
  } finally {
    evil.close();
  }
});
