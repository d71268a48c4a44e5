import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addLink } from '../../server/contract/links.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { anotherName } from '../support/names.ts';
import { findChromium } from '../support/provision.ts';

/** Two people at one link, each in a browser of their own. */
describe.skipIf(!findChromium())('two browsers at one link', () => {
  let server: TestApp;
  let browser: TestBrowser;
  const opened: AdminPage[] = [];

  beforeAll(async () => {
    server = await startApp({ ratelimit: 100_000 });
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const { context } of opened.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function openForm(id: number): Promise<{ page: Page; complaints: readonly string[] }> {
    const admin = await openAdminPage(browser, server.origin);
    opened.push(admin);
    await signInAt(admin.page, server.origin, `/links/${id}`);
    await admin.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await formOf(admin.page).getByLabel('Title', { exact: true }).waitFor();
    return admin;
  }
  const formOf = (page: Page) => page.getByRole('dialog', { name: 'Edit link' });
  const save = (page: Page) => formOf(page).getByRole('button', { name: /^Save/ }).click();
  const notice = (page: Page) => formOf(page).locator('[data-others-edits]');

  test('lose nobody’s changes, and both see what happened', async () => {
    const { id } = await server.call(addLink, {
      body: { url: 'https://example.com/first', custom: 'shared', title: 'First' },
    });
    const one = await openForm(id);
    const two = await openForm(id);
    await formOf(two.page).getByLabel('Destination').first().fill('https://example.com/of-two');
    await formOf(two.page).getByLabel('Title', { exact: true }).fill('Title of two');
    await formOf(two.page).getByLabel('Note').first().fill('Note of two');

    await formOf(one.page).getByLabel('Destination').first().fill('https://example.com/of-one');
    await formOf(one.page).getByLabel('Title', { exact: true }).fill('Title of one');
    await save(one.page);
    await formOf(one.page).waitFor({ state: 'detached' });

    // The other form says so at once, and what was typed stays.
    await notice(two.page).getByText('changed this while you were editing').waitFor();
    await expect
      .poll(() => formOf(two.page).getByLabel('Title', { exact: true }).inputValue())
      .toBe('Title of two');
    await notice(two.page).getByRole('button', { name: 'Show changes' }).click();
    const choice = (field: string) => notice(two.page).locator(`[data-field="${field}"]`);
    await expect.poll(() => choice('title').textContent()).toContain('Title of one');
    // Both changed these, so somebody has to say whose is taken; only one wrote a note.
    await save(two.page);
    await formOf(two.page).getByText('Choose theirs or yours').waitFor();
    await expect.poll(() => choice('note').getByRole('radio').nth(1).isChecked()).toBe(true);
    await choice('url').getByRole('radio').nth(0).check();
    await choice('title').getByRole('radio').nth(1).check();
    await save(two.page);
    await formOf(two.page).waitFor({ state: 'detached' });

    const { details } = (await server.request('GET', `/api/url/${id}`)).body;
    expect(details).toMatchObject({
      longurl: 'https://example.com/of-one',
      title: 'Title of two',
      note: 'Note of two',
    });
    const answer = await fetch(`${server.origin}/shared`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe('https://example.com/of-one');
    expect([...one.complaints, ...two.complaints]).toEqual([]);
  });

  test("ask about a draft from before somebody else's change", {
    tags: 'long',
  }, async () => {
    const { id } = await server.call(addLink, {
      body: { url: 'https://example.com/draft', custom: 'drafted', title: 'First' },
    });
    const { page } = await openForm(id);
    await formOf(page).getByLabel('Title', { exact: true }).fill('Title of mine');
    await page.keyboard.press('Escape');
    await formOf(page).waitFor({ state: 'detached' });
    await server.request('PUT', `/api/url/${id}/update`, {
      body: { title: 'Title of theirs', url: 'https://example.com/theirs' },
    });
    await page
      .getByRole('banner')
      .or(page.locator('#content'))
      .getByText('Title of theirs')
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const title = notice(page).locator('[data-field="title"]');
    await expect.poll(() => title.textContent()).toContain('Title of theirs');
    // What was not touched is as it is now.
    await expect
      .poll(() => formOf(page).getByLabel('Destination').first().inputValue())
      .toBe('https://example.com/theirs');
    await title.getByRole('radio').nth(1).check();
    await save(page);
    await formOf(page).waitFor({ state: 'detached' });
    const { details } = (await server.request('GET', `/api/url/${id}`)).body;
    expect(details).toMatchObject({ title: 'Title of mine', longurl: 'https://example.com/theirs' });
  });

  test('see further changes before they decide, and are still asked', {
    tags: 'long',
  }, async () => {
    const { id } = await server.call(addLink, {
      body: { url: 'https://example.com/again', custom: anotherName('again'), title: 'First' },
    });
    const update = (body: object) => server.request('PUT', `/api/url/${id}/update`, { body });
    const { page, complaints } = await openForm(id);
    const show = notice(page).getByRole('button', { name: 'Show changes' });
    const title = notice(page).locator('[data-field="title"]');
    await formOf(page).getByLabel('Title', { exact: true }).fill('Title of mine');
    for (const theirs of ['Theirs', 'Theirs again']) {
      await update({ title: theirs });
      await show.click();
      await title.getByText(theirs, { exact: false }).waitFor();
      await show.waitFor({ state: 'detached' });
    }
    await update({ note: 'A note of theirs' });
    await show.click();
    const note = formOf(page).getByRole('textbox', { name: /^Note/ });
    await expect.poll(() => note.inputValue()).toBe('A note of theirs');
    await save(page);
    await formOf(page).getByText('Choose theirs or yours').waitFor();
    await title.getByRole('radio').nth(1).check();
    await save(page);
    await formOf(page).waitFor({ state: 'detached' });
    const { details } = (await server.request('GET', `/api/url/${id}`)).body;
    expect(details).toMatchObject({ title: 'Title of mine', note: 'A note of theirs' });
    expect(complaints).toEqual([]);
  });

  test('edit blocks of one page: each keeps their own, as does a returning draft', {
    tags: 'long',
  }, async () => {
    const link = (title: string) => ({
      type: 'link',
      title,
      url: `https://example.com/${title.toLowerCase()}`,
    });
    const { id } = (
      await server.request('POST', '/api/bio/add', {
        body: { name: 'Shared page', alias: 'shared-page', blocks: [link('Shop'), link('News')] },
      })
    ).body;
    const openEditor = async (): Promise<Page> => {
      const admin = await openAdminPage(browser, server.origin);
      opened.push(admin);
      await signInAt(admin.page, server.origin, `/bio/${id}`);
      await blockOf(admin.page, 'Shop').waitFor();
      return admin.page;
    };
    const blockOf = (page: Page, name: string) =>
      page.getByRole('list', { name: 'Blocks' }).getByRole('button', { name: new RegExp(`^${name} ?Link`) });
    const retitle = async (page: Page, name: string, title: string): Promise<void> => {
      const block = blockOf(page, name);
      if ((await block.getAttribute('aria-expanded')) !== 'true') await block.click();
      await page.locator('[data-block-form]').getByLabel('Title', { exact: true }).fill(title);
    };
    const savePage = async (page: Page): Promise<void> => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('All changes are saved').waitFor();
    };
    const told = (page: Page) => page.locator('[data-others-edits]');
    const titles = async (): Promise<string[]> =>
      (await server.request('GET', `/api/bio/${id}`)).body.data.blocks.map(
        ({ title }: { title: string }) => title,
      );

    const one = await openEditor();
    const two = await openEditor();
    await retitle(two, 'News', 'News of two');
    await retitle(one, 'Shop', 'Shop of one');
    await savePage(one);
    // Different blocks: nobody is asked anything.
    await told(two).getByRole('button', { name: 'Show changes' }).click();
    await expect.poll(() => told(two).locator('fieldset').count()).toBe(2);
    await expect.poll(() => told(two).textContent()).toContain('Shop of one');
    await savePage(two);
    expect(await titles()).toEqual(['Shop of one', 'News of two']);

    // The same block: whose is taken is chosen, and both can be read.
    await blockOf(one, 'News of two').waitFor();
    await retitle(two, 'Shop of one', 'Shop by two');
    await retitle(one, 'Shop of one', 'Shop by one');
    await savePage(one);
    await told(two).getByRole('button', { name: 'Show changes' }).click();
    await two.getByRole('button', { name: 'Save', exact: true }).click();
    await two.getByText('Choose theirs or yours').waitFor();
    await expect.poll(() => told(two).textContent()).toMatch(/Shop by one.*Shop by two/);
    await told(two).getByRole('radio').nth(1).check();
    await savePage(two);
    expect(await titles()).toEqual(['Shop by two', 'News of two']);

    // A draft that was left behind while somebody else saved the page.
    await blockOf(one, 'Shop by two').waitFor();
    await retitle(one, 'News of two', 'News of a draft');
    await one.getByText('Unsaved changes').waitFor();
    await expect
      .poll(() =>
        one.evaluate(() => Object.values(localStorage).some((kept) => kept.includes('News of a draft'))),
      )
      .toBe(true);
    await one.goto('about:blank');
    await retitle(two, 'Shop by two', 'Shop again');
    await savePage(two);
    await one.goto(`${server.origin}/admin/bio/${id}`);
    await blockOf(one, 'News of a draft').waitFor();
    await blockOf(one, 'Shop again').waitFor();
    await savePage(one);
    const visitor = await fetch(`${server.origin}/shared-page`);
    expect(await visitor.text()).toMatch(/Shop again[\s\S]*News of a draft/);
  });

  test('keep their input when the other deletes the link, and can create it again', {
    tags: 'long',
  }, async () => {
    const { id } = await server.call(addLink, {
      body: { url: 'https://example.com/gone', custom: 'gone', title: 'Gone' },
    });
    const { page } = await openForm(id);
    await formOf(page).getByLabel('Title', { exact: true }).fill('Typed before');
    await server.request('DELETE', `/api/url/${id}/delete`);
    await notice(page).getByText('Someone deleted this').waitFor();
    await notice(page).getByRole('button', { name: 'Create it again' }).click();
    await formOf(page).waitFor({ state: 'detached' });
    const answer = await fetch(`${server.origin}/gone`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe('https://example.com/gone');
    const { data } = (await server.request('GET', '/api/urls?short=gone')).body;
    expect(data.urls[0].title).toBe('Typed before');
  });
});
