import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { some } from '../support/trials.ts';
import { upload } from '../support/uploads.ts';

const script = 'try{alert("ran")}catch(e){};try{fetch("/ran")}catch(e){}';
const html = `<!doctype html><script>${script}</script><img src=x onerror='${script}'>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload='${script}'><script>${script}</script></svg>`;

/** Files that would run something, were they ever opened in our origin. */
const payloads: [filename: string, content: string][] = [
  ['page.html', html],
  ['page.htm', html],
  ['page.xhtml', `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${script}</script></body></html>`],
  ['page.shtml', html],
  ['page.HTML', html],
  ['page.html.', html],
  ['drawing.svg', svg],
  ['drawing.svgz', svg],
  ['feed.xml', `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">${script}</x:script>`],
  ['style.xsl', `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#"?><a>${script}</a>`],
  ['code.js', script],
  ['code.mjs', script],
  ['mail.mht', `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${html}`],
  ['paper.pdf', `%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(${script})>>>>endobj`],
  ['picture.png', html],
  ['picture.gif', `GIF89a/*${html}*/`],
  ['clip.mp4', html],
  ['archive.zip', html],
  ['noextension', html],
  ['config.json', html],
  ['shortcut.url', `[InternetShortcut]\nURL=javascript:${script}`],
  ['quote";filename=evil.html', html],
];

describe.skipIf(!findChromium())('in a real browser', () => {
  let server: TestApp;
  /** Another origin, with pages as a test wants them. */
  let elsewhere: Server;
  let foreignPage = '';
  let foreignOrigin = '';
  let browser: TestBrowser;
  let context: BrowserContext;
  let dialogs: string[];
  let requests: string[];
  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    elsewhere = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(foreignPage),
    );
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    foreignOrigin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    elsewhere?.close();
  });
  beforeEach(async () => {
    dialogs = [];
    requests = [];
    context = await browser.newContext({ acceptDownloads: true });
    context.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    context.on('request', (request) => {
      if (request.url().includes('/ran')) requests.push(request.url());
    });
  });
  afterEach(() => context.close());

  test.each(some(payloads, { from: 0, short: 1 }))('%s is saved and never run', async (filename, content) => {
    const { shorturl } = await upload(server, content, {}, filename);
    const page = await context.newPage();
    // By its address: what a visitor does.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.goto(shorturl).catch(() => 'a download is no page'),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toBe(content);
    expect(page.url()).toBe('about:blank');
    // Inside somebody's page: what an attacker would try.
    foreignPage = `<iframe src="${shorturl}"></iframe><embed src="${shorturl}"><object data="${shorturl}"></object>
      <script src="${shorturl}"></script><link rel="stylesheet" href="${shorturl}"><img src="${shorturl}">`;
    await page.goto(foreignOrigin);
    await page.waitForTimeout(150);
    expect({ dialogs, requests }).toEqual({ dialogs: [], requests: [] });
  });

  test('the same content would run without the protection', async () => {
    foreignPage = html;
    await (await context.newPage()).goto(foreignOrigin);
    await expect.poll(() => [dialogs.length > 0, requests.length > 0]).toEqual([true, true]);
  });

  test('a protected file is downloaded through its form', async () => {
    const { shorturl } = await upload(server, 'behind a password', { password: 'open sesame' }, 'safe.txt');
    const page = await context.newPage();
    await page.goto(shorturl);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button').click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill('open sesame');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button').click()]);
    expect(download.suggestedFilename()).toBe('safe.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('behind a password');
  });

  test('a file is downloaded from the page about it', async () => {
    const { shorturl } = await upload(server, 'content', {}, 'grüße 😀.txt');
    const page = await context.newPage();
    await page.goto(`${shorturl}+`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link').click()]);
    expect(download.suggestedFilename()).toBe('grüße 😀.txt');
  });
});
