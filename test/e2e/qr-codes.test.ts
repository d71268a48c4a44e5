import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decoder } from '../../server/content/qr/decoder.ts';
import { addLink } from '../../server/contract/links.ts';
import { addQr, getQr, listQr } from '../../server/contract/qr.ts';
import { signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { faultsOf } from '../support/axe.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

/** The page of QR codes: made, styled, read again, downloaded, scanned and deleted. */
describe.skipIf(!findChromium())('the QR codes page', () => {
  const reads = decoder();
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;
  const elsewhere: string[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 1000 },
      acceptDownloads: true,
    });
    context.on('request', (request) => {
      const isOwn = request.url().startsWith(server.origin) || /^(data|blob):/.test(request.url());
      if (!isOwn) elsewhere.push(request.url());
    });
    page = await context.newPage();
    page.setDefaultTimeout(45_000);
    page.on('pageerror', (error) => problems.push(error.message));
    await signInAt(page, server.origin, '/qr-codes');
    await page.getByText('QR codes you can redirect after printing').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await reads.close();
  });

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const newest = async () => {
    const { data } = await server.call(listQr, { query: { limit: 1 } });
    return (await server.call(getQr, { params: { id: data.qrs[0]?.id ?? 0 } })).data;
  };

  /** What a scanner reads in the preview, as it stands there. */
  async function readPreview(): Promise<string | undefined> {
    const source = (await page.locator('[data-qr-preview]').getAttribute('src')) ?? '';
    const svg = Buffer.from(decodeURIComponent(source.slice(source.indexOf(',') + 1)));
    return reads.decode(
      await sharp(svg, { density: 200 }).flatten({ background: '#ffffff' }).png().toBuffer(),
    );
  }

  async function download(format: string): Promise<{ name: string; content: Buffer }> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: format, exact: true }).click(),
    ]);
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
  }

  test('a code for a link is styled with a scannable preview, and created', async () => {
    const link = await server.call(addLink, { body: { url: 'https://example.com/menu', custom: 'menu' } });
    await page.getByRole('button', { name: 'New QR code' }).first().click();
    await page.getByLabel('URL or short link').fill(link.shorturl);
    await page.getByRole('button', { name: 'Berry' }).click();
    await page.getByText('Sample content').waitFor({ state: 'hidden' });
    await page.getByText('Scans well').waitFor();
    await expect.poll(readPreview).toMatch(new RegExp(`^${server.origin}/qr/`));
    expect(await faultsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Frame', exact: true }).click();
    const below = page.getByRole('radio', { name: 'Label below' });
    // While the section unfolds a click may hit what has just moved there.
    const isChosen = async () => {
      await below.check({ force: true, timeout: 5_000 }).catch(() => {});
      return below.isChecked();
    };
    await expect.poll(isChosen).toBe(true);
    await page.getByLabel('Caption').fill('Our menu');
    await page.getByRole('button', { name: 'Create QR code' }).click();
    await page.getByRole('dialog').getByText('Not scanned yet').waitFor();

    expect(await newest()).toMatchObject({
      type: 'link',
      name: 'menu',
      dynamic: true,
      data: { url: link.shorturl },
      modules: 'dots',
      eyes: 'circle',
      gradient: { type: 'linear' },
      frame: 'bottom',
      caption: 'Our menu',
    });
  });

  test('is downloaded for screen and print, and each file scans', async () => {
    const { link } = await newest();
    const png = await download('PNG');
    expect(png.name).toBe('menu.png');
    expect((await sharp(png.content).metadata()).width).toBe(1024);
    expect(
      await reads.decode(await sharp(png.content).flatten({ background: '#ffffff' }).png().toBuffer()),
    ).toBe(link);

    const jpeg = await download('JPEG');
    expect(jpeg.name).toBe('menu.jpg');
    expect(await reads.decode(await sharp(jpeg.content).png().toBuffer())).toBe(link);

    await page.getByLabel('Size').click();
    await page.getByRole('option', { name: '50 mm wide, for print' }).click();
    const svg = await download('SVG');
    expect(svg.content.toString()).toContain('width="50mm"');
    const pdf = await download('PDF');
    expect(pdf.content.subarray(0, 8).toString()).toBe('%PDF-1.4');
    expect(pdf.content.toString('latin1')).toContain(`/MediaBox [0 0 ${((50 / 25.4) * 72).toFixed(4)}`);
    expect(await faultsOf(page)).toEqual([]);
  });

  test("scans from a browser's screen showing its SVG", async () => {
    const { link } = await newest();
    const context = await browser.newContext({ viewport: { width: 700, height: 900 } });
    const drawn = await context.newPage();
    await drawn.goto(`${link}.svg?size=600`);
    const shown = await drawn.screenshot();
    await context.close();
    expect(await reads.decode(shown)).toBe(link);
  });

  test('a scan appears without a reload', async () => {
    await page.keyboard.press('Escape');
    await row('menu').waitFor();
    const { link } = await newest();
    const answer = await fetch(link, {
      redirect: 'manual',
      headers: {
        'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Safari/604.1',
      },
    });
    expect(answer.headers.get('location')).toBe('https://example.com/menu');
    await row('menu').getByRole('cell', { name: '1', exact: true }).waitFor();
  });

  test('a style that would not scan gives the reason and cannot be saved', { tags: 'long' }, async () => {
    await page.getByRole('button', { name: 'Edit menu' }).click();
    await page.getByText('Scans well').waitFor();
    await page.getByRole('button', { name: 'Classic' }).click();
    await page.getByLabel('Code', { exact: true }).fill('#EEEEEE');
    await page.getByText('Would not scan').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Choose a darker color or a lighter background').last().waitFor();
    await page.getByLabel('Code', { exact: true }).fill('#14532D');
    await page.getByText('Scans well').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('QR code saved').first().waitFor();
    expect(await newest()).toMatchObject({ foreground: '#14532D', gradient: null, frame: 'bottom' });
  });

  test('a Wi-Fi code contains the network itself, with a logo in the middle', { tags: 'long' }, async () => {
    await page.getByRole('button', { name: 'New QR code' }).first().click();
    await page.getByRole('radio', { name: 'Wi-Fi' }).check({ force: true });
    await page.getByRole('button', { name: 'Create QR code' }).click();
    await page.getByText('Required.').waitFor();
    await page.getByLabel('Network name').fill('Guests; <b>');
    await page.getByLabel('Password', { exact: true }).fill('espresso"please');
    await page.getByRole('button', { name: 'Logo', exact: true }).click();
    const logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#e11d48' } })
      .png()
      .toBuffer();
    await page
      .locator('[data-logo]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await page.getByAltText('The logo').waitFor();
    await expect.poll(readPreview).toBe('WIFI:T:WPA;S:Guests\\; <b>;P:espresso\\"please;;');
    await page.getByRole('button', { name: 'Create QR code' }).click();
    await page.getByRole('dialog').getByText('Guests; <b>').waitFor();
    await page.keyboard.press('Escape');
    expect((await newest()).logo).toMatch(/^data:image\/png;base64,/);
    await row('Guests; <b>').getByText('Wi-Fi').waitFor();
  });

  test('are found by search and content, and markup in names is text', { tags: 'long' }, async () => {
    await server.call(addQr, {
      body: { type: 'text', data: 'x', name: '<img src=x onerror="window.hit=1">' },
    });
    await page.reload();
    await row('<img src=x').waitFor();
    expect(await page.evaluate('window.hit')).toBeUndefined();
    await page.getByRole('button', { name: 'Content' }).click();
    await page.getByRole('option', { name: 'Wi-Fi' }).click();
    await row('menu').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Remove the filter “Content”' }).click();
    await page.getByPlaceholder('Search QR codes').fill('menu');
    await row('Guests').waitFor({ state: 'hidden' });
    await row('menu').waitFor();
    await page.getByPlaceholder('Search QR codes').fill('');
    expect(await faultsOf(page)).toEqual([]);
  });

  test('are deleted immediately, and restored', { tags: 'long' }, async () => {
    // To delete and to bring back are edits.
    const codes = async () => (await server.call(listQr)).data.qrs.map(({ version: _, ...code }) => code);
    const before = await codes();
    await row('<img src=x')
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await row('<img src=x').waitFor({ state: 'hidden' });
    await expect.poll(async () => (await server.call(listQr)).data.result).toBe(before.length - 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('<img src=x').waitFor();
    await expect.poll(codes).toEqual(before);
  });

  test('on a plan without logos and frames these are locked, with the reason', { tags: 'long' }, async () => {
    expect((await server.request('PUT', '/api/plan/1/user/1', { body: {} })).status).toBe(200);
    await page.reload();
    await page.getByRole('button', { name: 'New QR code' }).first().click();
    await page.getByRole('button', { name: 'Logo', exact: true }).click();
    await page.getByText('Your plan doesn’t include logos.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Choose a picture' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Frame', exact: true }).click();
    await page.getByText('Your plan doesn’t include frames.').waitFor();
    await expect.poll(() => page.getByRole('radio', { name: 'Label below' }).isDisabled()).toBe(true);
  });

  test('request nothing from other servers, and nothing fails', () => {
    expect(elsewhere).toEqual([]);
    expect(problems).toEqual([]);
  });
});
