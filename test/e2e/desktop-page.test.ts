// What the desktop does around the page: its menus, its way out, its keys.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, serverState, sharedDesktop } from '../support/desktop-flow.ts';
import { findChromium } from '../support/provision.ts';

describe.skipIf(!findChromium())('the page', () => {
  const shared = sharedDesktop();

  test('reloads when the user wants it, and its replies survive a refused navigation', async () => {
    const app = shared.app();
    await app.page.evaluate(() => {
      Object.assign(window, { before: true });
      const { desktop } = window as unknown as { desktop: { request(...args: unknown[]): Promise<unknown> } };
      const asked = desktop.request('local', 'kept', { method: 'GET', path: '/api/urls' });
      location.href = 'https://evil.example/';
      Object.assign(window, { asked });
    });
    expect(
      await app.page.evaluate(() => (window as unknown as { asked: Promise<unknown> }).asked),
    ).toMatchObject({
      status: 200,
    });
    app.order({ type: 'click-menu', id: 'reload' });
    await expect.poll(() => app.page.evaluate(() => 'before' in window).catch(() => true)).toBe(false);
    await app.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect((await ask(app, { method: 'GET', path: '/api/urls' })).status).toBe(200);
  });

  test('has a context menu in its fields, and none elsewhere', async () => {
    const app = shared.app();
    await app.page.getByRole('heading', { name: 'Overview' }).click({ button: 'right' });
    await app.page.getByRole('link', { name: 'Links', exact: true }).click();
    await app.page.getByPlaceholder('Search links').click({ button: 'right' });
    await app.waitFor('popped-up');
    const menus = app.told.flatMap((told) => (told.type === 'popped-up' ? [told.roles] : []));
    expect(menus).toEqual([['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']]);
  });

  test("shows a preview in the visitors' font", async () => {
    const { page } = shared.app();
    await page.getByRole('link', { name: 'Splash pages', exact: true }).click();
    await page.getByRole('button', { name: 'New splash page' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: /^Title/ }).fill('Ωmega');
    const parts = async () => {
      const frame = await form.locator('iframe').first().elementHandle();
      const fonts = await (await frame?.contentFrame())?.evaluate(() =>
        [...document.fonts].flatMap(({ status, unicodeRange }) =>
          status === 'loaded' ? [unicodeRange] : [],
        ),
      );
      return fonts ?? [];
    };
    await expect.poll(async () => (await parts()).join()).toContain('U+0-FF');
    // Letters that are only found in another part of it.
    await expect.poll(async () => (await parts()).join()).toContain('U+370');
    await page.keyboard.press('Escape');
  });

  test('has invalid shortcuts refused and never stored', async () => {
    const app = shared.app();
    const refused = app.page.evaluate(() =>
      (
        window as unknown as { desktop: { app: { update(change: unknown): Promise<unknown> } } }
      ).desktop.app.update({
        shortcut: 'Foo+Bar',
      }),
    );
    await expect(refused).rejects.toThrow('wrong arguments');
    const kept = JSON.parse(readFileSync(join(shared.userData(), 'preferences.json'), 'utf8'));
    expect(kept.shortcut).toBeUndefined();
  });

  test('asks before closing with something under way, and respects both replies', {
    tags: 'long',
  }, async () => {
    const app = shared.app();
    await app.page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
    app.order({ type: 'answer', button: 0 });
    app.order({ type: 'quit' });
    await app.waitFor('asked', ({ message }) => message === 'A task is still running');
    await serverState(app, 'running');
    // The server is looked after again, now that the app stays.
    process.kill(app.serverPid(), 'SIGKILL');
    await serverState(app, 'restarting');
    await serverState(app, 'running');
    app.order({ type: 'answer', button: 1 });
    app.order({ type: 'quit' });
    expect(await app.exited).toBe(0);
  });
});
