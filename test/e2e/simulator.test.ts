import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { faultsOf } from '../support/axe.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

/** The simulator beside the page of a link, and the question before an edit that changes what was expected. */
describe.skipIf(!findChromium())('the simulator', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;
  let id = 0;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    const body = {
      url: 'https://example.com/home',
      title: 'Spring sale',
      rules: [
        {
          link: 'https://example.com/phones',
          conditions: [
            { type: 'country', op: 'in', value: ['DE', 'AT'] },
            { type: 'device', op: 'is', value: 'iPhone' },
          ],
        },
      ],
    };
    id = (await server.request('POST', '/api/url/add', { body })).body.id;
    await server.request('PUT', `/api/url/${id}/update`, {
      body: { geotarget: [{ location: 'ES', link: 'https://example.com/es' }] },
    });
    browser = await openBrowser();
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      bypassCSP: true,
      reducedMotion: 'reduce',
    });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await signInAt(page, server.origin, `/links/${id}`);
    await page.getByRole('button', { name: 'Simulate' }).click();
    await panel().getByText('No rule is met, so the link’s own destination is used.').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const panel = () => page.getByRole('dialog', { name: 'Simulator' });
  const step = (text: string) => panel().getByRole('listitem').filter({ hasText: text }).last();

  async function choose(label: string, name: string): Promise<void> {
    await panel().getByLabel(label, { exact: true }).click();
    await page.getByRole('option', { name, exact: true }).click();
  }

  test('shows each condition of each rule, and which one fails', async () => {
    await choose('Device', 'iPhone');
    const device = step('Device is iPhone');
    await device.getByText('Met', { exact: true }).waitFor({ state: 'attached' });
    await device.getByText('Visitor: iPhone and Mobile').waitFor();
    const country = step('Country is one of Germany or Austria');
    await country.getByText('Not met').waitFor({ state: 'attached' });
    await country.getByText('Visitor: not known').waitFor();
  });

  test('shows the rule that matches and where it leads', async () => {
    await panel().getByLabel('Country', { exact: true }).click();
    await page.keyboard.type('Germany');
    await page.getByRole('option', { name: 'Germany' }).click();
    await panel().getByText('Rule 1 matches and sets the destination.').waitFor();
    await panel().getByText('This rule matches').waitFor();
    await panel().getByText('Not evaluated: an earlier rule matches.').waitFor();
    await expect.poll(() => panel().getByRole('link', { name: 'example.com/phones' }).count()).toBe(1);
  });

  test('reports impossible visitors beside the field', { tags: 'long' }, async () => {
    await panel().getByRole('button', { name: 'More about the visitor' }).click();
    await panel().getByLabel('IP address').fill('999.1.1.1');
    await panel().getByText('Send an IPv4 or IPv6 address.').waitFor();
    await expect.poll(() => panel().getByRole('button', { name: 'Save as case' }).isDisabled()).toBe(true);
    await panel().getByLabel('IP address').fill('');
    await panel().getByText('Rule 1 matches').waitFor();
  });

  test('saves a visit as a case and shows its current result', async () => {
    await panel().getByLabel('Case name').fill('Germans on iPhones');
    await panel().getByRole('button', { name: 'Save as case' }).click();
    await page.getByText('Case saved').first().waitFor();
    await panel().getByRole('button', { name: 'Start over' }).click();
    await panel().getByLabel('Country', { exact: true }).click();
    await page.keyboard.type('Spain');
    await page.getByRole('option', { name: 'Spain' }).click();
    await panel().getByRole('link', { name: 'example.com/es' }).waitFor();
    await panel().getByLabel('Case name').fill('Spaniards');
    await panel().getByLabel('Case name').press('Enter');
    await panel().getByRole('tab', { name: 'Saved cases' }).click();
    await panel().getByText('2 of 2 pass').waitFor();
    await panel()
      .getByRole('button', { name: /^Germans on iPhones/ })
      .click();
    await panel().getByRole('link', { name: 'example.com/phones' }).waitFor();
  });

  test('shows what all links do with the same visitor', { tags: 'long' }, async () => {
    await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.org/', title: 'Plain one' },
    });
    await panel().getByRole('tab', { name: 'All links' }).click();
    const rows = panel().getByRole('listitem');
    await rows.filter({ hasText: 'Plain one' }).getByText('No rule').waitFor();
    await rows.filter({ hasText: 'Spring sale' }).getByText('Rule 1').waitFor();
  });

  test('has no axe violations', { tags: 'long' }, async () => {
    for (const tab of ['One visit', 'Saved cases', 'All links']) {
      await panel().getByRole('tab', { name: tab }).click();
      await panel().getByRole('listitem').first().waitFor();
      expect(await faultsOf(page, { within: '[role=dialog]' })).toEqual([]);
    }
  });

  test('asks before saving an edit that changes an expected result', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit link' });
    await form.getByRole('button', { name: /^Targeting/ }).click();
    await form.getByRole('textbox', { name: 'Destination' }).last().fill('https://example.com/spain');
    await form.getByRole('button', { name: /^Save/ }).click();
    const question = page.getByRole('dialog', { name: '1 saved case will change' });
    await question.getByText('Spaniards').waitFor();
    await question.getByText('example.com/spain').waitFor();
    await question.getByRole('button', { name: 'Back to the form' }).click();
    const stored = async () => (await server.request('GET', `/api/url/${id}`)).body.details.location.spain;
    expect(await stored()).toBe('https://example.com/es');
    await form.getByRole('button', { name: /^Save/ }).click();
    await question.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByText('Link saved').first().waitFor();
    expect(await stored()).toBe('https://example.com/spain');
  });

  test('does not ask about an edit that changes none', { tags: 'long' }, async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit link' });
    await form.getByLabel('Title', { exact: true }).fill('Summer sale');
    await form.getByRole('button', { name: /^Save/ }).click();
    await page.getByRole('heading', { name: 'Summer sale' }).first().waitFor();
  });

  test('shows a case with a different result, and accepts the current one as expected', {
    tags: 'long',
  }, async () => {
    await page.getByRole('button', { name: 'Simulate' }).click();
    await panel().getByRole('tab', { name: 'Saved cases' }).click();
    await panel().getByText('1 of 2 pass').waitFor();
    await panel().getByText('Now example.com/spain').waitFor();
    await panel().getByRole('button', { name: 'Actions for Spaniards' }).click();
    await page.getByRole('menuitem', { name: 'Accept new result' }).click();
    await panel().getByText('2 of 2 pass').waitFor();
    await panel().getByRole('button', { name: 'Actions for Spaniards' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await panel().getByText('1 of 1 passes').waitFor();
    const toast = page.getByRole('listitem').filter({ hasText: 'Case deleted' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await panel().getByText('2 of 2 pass').waitFor();
  });

  test('gives its reasons in the language of the app', { tags: 'long' }, async () => {
    await server.request('PUT', '/api/account/update', { body: { language: 'de' } });
    await page.goto(`${server.origin}/admin/links/${id}`);
    await page.getByRole('button', { name: 'Simulieren' }).click();
    const german = page.getByRole('dialog', { name: 'Simulator' });
    await german.getByText('Keine Regel trifft zu, also wird das eigene Ziel des Links verwendet.').waitFor();
    const country = german
      .getByRole('listitem')
      .filter({ hasText: 'Land ist eines von Deutschland oder Österreich' });
    await country.last().getByText('Besucher: nicht bekannt').waitFor();
  });
});
