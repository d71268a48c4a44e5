import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { faultsOf } from '../support/axe.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

/** Rules with any conditions, made in the form of a link and followed by visitors. */
describe.skipIf(!findChromium())('the rules of a link', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    server = await startApp();
    browser = await openBrowser();
    // axe adds a script of its own, which the policy would forbid.
    const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(45_000);
    await signInAt(page, server.origin);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('are created with conditions that must all match, sorted, and applied', { tags: 'long' }, async () => {
    const { id, shorturl } = (
      await server.request('POST', '/api/url/add', {
        body: {
          url: 'https://example.com/',
          geotarget: [{ location: 'DE', link: 'https://example.com/de' }],
        },
      })
    ).body;
    await page.goto(`${server.origin}/admin/links/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit link' });
    await form.getByRole('button', { name: /^Rules/ }).click();
    await form.getByRole('button', { name: 'Add a rule' }).click();
    const first = form.getByRole('group', { name: 'Rule 1' });
    await first.getByRole('combobox', { name: 'Condition' }).click();
    await page.getByRole('option', { name: 'Query parameter' }).click();
    await first.getByRole('textbox', { name: 'Query parameter' }).fill('ref=mail');
    await first.getByRole('button', { name: 'Add a condition' }).click();
    await first.getByRole('combobox', { name: 'Condition' }).nth(1).click();
    await page.getByRole('option', { name: 'Browser' }).click();
    await first.getByRole('textbox', { name: 'Browser' }).fill('Firefox, Safari');
    await first.getByRole('textbox', { name: 'Goes to' }).fill('https://example.com/mail');

    await form.getByRole('button', { name: 'Add a rule' }).click();
    const second = form.getByRole('group', { name: 'Rule 2' });
    await second.getByRole('combobox', { name: 'Condition' }).click();
    await page.getByRole('option', { name: 'Query parameter' }).click();
    await second.getByRole('textbox', { name: 'Query parameter' }).fill('ref');
    await second.getByRole('textbox', { name: 'Goes to' }).fill('https://example.com/any');
    await second.getByRole('button', { name: 'Move rule 2 up' }).click();
    expect(await faultsOf(page, { within: '[role=dialog]' })).toEqual([]);
    await form.getByRole('button', { name: 'Move rule 2 up' }).click();
    // What stands in the form is tried before it is saved.
    await form.getByRole('button', { name: 'Test', exact: true }).click();
    const trial = form.getByRole('region', { name: 'Test' });
    await trial.getByLabel('Query', { exact: true }).fill('ref=other');
    await trial.getByRole('link', { name: 'example.com/any' }).waitFor();
    await trial.getByText('This rule matches').waitFor();
    expect((await server.request('GET', `/api/url/${id}`)).body.details.rules).toHaveLength(1);
    expect(await faultsOf(page, { within: '[role=dialog]' })).toEqual([]);
    await form.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Link saved').first().waitFor();

    const { details } = (await server.request('GET', `/api/url/${id}`)).body;
    expect(details.rules).toEqual([
      {
        conditions: [
          { type: 'query', op: 'is', value: 'ref=mail' },
          { type: 'browser', op: 'in', value: ['Firefox', 'Safari'] },
        ],
        link: 'https://example.com/mail',
      },
      { conditions: [{ type: 'query', op: 'is', value: 'ref' }], link: 'https://example.com/any' },
      { conditions: [{ type: 'country', op: 'is', value: 'DE' }], link: 'https://example.com/de' },
    ]);
    expect(details.location).toEqual({ germany: 'https://example.com/de' });
    const followed = async (query: string, agent: string) =>
      (
        await fetch(`${shorturl}${query}`, { redirect: 'manual', headers: { 'user-agent': agent } })
      ).headers.get('location');
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    expect(await followed('?ref=mail', firefox)).toBe('https://example.com/mail');
    expect(await followed('?ref=mail', 'curl/8')).toBe('https://example.com/any');
    expect(await followed('', firefox)).toBe('https://example.com/');
  });
});
