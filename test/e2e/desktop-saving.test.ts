// Every button of the desktop that saves or copies something, pressed; and what came of it, looked at.
import { createHmac, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decoder } from '../../server/content/qr/decoder.ts';
import { ask, launchSetUpDesktop } from '../support/desktop-flow.ts';
import { httpServer } from '../support/desktop-parts.ts';
import type { DesktopApp } from '../support/electron.ts';
import { findChromium } from '../support/provision.ts';
import { totpCode } from '../support/totp.ts';

const isPossible = findChromium() !== undefined;
const reads = decoder();
let app: DesktopApp;
let folder: string;
let saved = 0;
let origin: string;

const png = Buffer.from('89504e470d0a1a0a', 'hex');

beforeAll(async () => {
  if (!isPossible) return;
  folder = mkdtempSync(join(tmpdir(), 'waypost-saving-'));
  app = await launchSetUpDesktop({ userData: join(folder, 'app') });
  app.page.setDefaultTimeout(20_000);
  for (const custom of ['menu', 'poster']) {
    const { body } = await post('/api/url/add', { url: `https://example.com/${custom}`, custom });
    origin = new URL((body as { shorturl: string }).shorturl).origin;
  }
});
afterAll(async () => {
  await app?.close();
  await reads.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function post(path: string, body: unknown, method: 'POST' | 'PUT' = 'POST') {
  const reply = await ask(app, { method, path, body });
  if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply;
}
/** The same for what says that it was created. */
async function add(path: string, body: unknown): Promise<void> {
  expect(await ask(app, { method: 'POST', path, body })).toMatchObject({ body: { error: 0 } });
}
const idOf = async (path: string, body: unknown) => (await post(path, body)).body as { id: number };

/** Goes to another page of the app without loading the document anew. */
async function goTo(path: string): Promise<void> {
  await app.page.evaluate((to) => {
    history.pushState({}, '', `/admin${to}`);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, path);
}

/**
 * Presses a button that saves, which stands in a file of renderer/; returns the bytes and the name that was proposed
 * for them.
 */
async function save(button: Locator, file: string): Promise<{ name: string; bytes: Buffer }> {
  saved += 1;
  const path = join(folder, `saved-${saved}`);
  app.order({ type: 'save-at', path });
  const before = app.told.length;
  await button.click();
  await expect
    .poll(() => existsSync(path) && readFileSync(path).length, { message: file })
    .toBeGreaterThan(0);
  const names = () =>
    app.told.slice(before).flatMap((told) => (told.type === 'asked-where' ? [told.name] : []));
  // The file may be seen before the word of the question has come.
  await expect.poll(() => names().length).toBe(1);
  return { name: names()[0] ?? '', bytes: readFileSync(path) };
}

/** Presses a button that copies, which stands in a file of renderer/; returns the text on the clipboard. */
async function copied(button: Locator, file: string): Promise<string> {
  const before = app.told.length;
  await button.click();
  const texts = () => app.told.slice(before).flatMap((told) => (told.type === 'copied' ? [told.text] : []));
  await expect.poll(() => texts().length, { message: file }).toBe(1);
  return texts()[0] ?? '';
}

/** What a scanner reads in a picture. */
async function scanned(picture: Buffer): Promise<string | undefined> {
  return reads.decode(
    await sharp(picture, { density: 200 }).flatten({ background: '#ffffff' }).png().toBuffer(),
  );
}

const button = (name: string) => app.page.getByRole('button', { name, exact: true });
const menuItem = (name: string) => app.page.getByRole('menuitem', { name });
const row = (text: string) => app.page.getByRole('row').filter({ hasText: text });

describe.runIf(isPossible)('in the desktop app', () => {
  test('the code of a link is saved from its dialog, as picture and drawing', {
    tags: 'long',
  }, async () => {
    await goTo('/links');
    await row('/menu')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await menuItem('QR code').click();
    const picture = await save(button('PNG'), 'content/links/QrDialog.vue');
    expect(picture.name).toMatch(/menu\.png$/);
    expect(picture.bytes.subarray(0, 8)).toEqual(png);
    expect((await sharp(picture.bytes).metadata()).width).toBe(1024);
    expect(await scanned(picture.bytes)).toBe(`${origin}/menu`);
    const drawing = await save(button('SVG'), 'content/links/QrDialog.vue');
    expect(drawing.name).toMatch(/menu\.svg$/);
    expect(drawing.bytes.toString()).toMatch(/^<svg xmlns=/);
    expect(await scanned(drawing.bytes)).toBe(`${origin}/menu`);
    await app.page.keyboard.press('Escape');
  });

  test('and from the button beside its URL', { tags: 'long' }, async () => {
    await row('/poster').hover();
    await row('/poster').getByRole('button', { name: 'QR code' }).click();
    const picture = await save(button('PNG'), 'ui/QrPopover.vue');
    expect(picture.bytes.subarray(0, 8)).toEqual(png);
    expect(await scanned(picture.bytes)).toBe(`${origin}/poster`);
    const drawing = await save(button('SVG'), 'ui/QrPopover.vue');
    expect(await scanned(drawing.bytes)).toBe(`${origin}/poster`);
    await app.page.keyboard.press('Escape');
  });

  test('a created code is saved in each format, and copied as picture and URL', async () => {
    await post('/api/qr/add', {
      type: 'link',
      name: 'Table',
      data: { url: `${origin}/menu` },
      dynamic: true,
    });
    await goTo('/qr-codes');
    const address = await copied(
      row('Table').getByRole('button', { name: 'Copy URL' }),
      'content/qr/QrTable.vue',
    );
    expect(address).toMatch(new RegExp(`^${origin}/qr/`));
    await row('Table').hover();
    await row('Table').getByRole('button', { name: 'Download…' }).click();
    const picture = await save(button('PNG'), 'content/qr/QrDownload.vue');
    expect(picture.name).toBe('Table.png');
    expect(picture.bytes.subarray(0, 8)).toEqual(png);
    expect((await sharp(picture.bytes).metadata()).width).toBe(1024);
    expect(await scanned(picture.bytes)).toBe(address);
    const photo = await save(button('JPEG'), 'content/qr/QrDownload.vue');
    expect(photo.name).toBe('Table.jpg');
    expect(await scanned(photo.bytes)).toBe(address);
    const drawing = await save(button('SVG'), 'content/qr/QrDownload.vue');
    expect(drawing.bytes.toString()).toContain('<svg');
    expect(await scanned(drawing.bytes)).toBe(address);
    const print = await save(button('PDF'), 'content/qr/QrDownload.vue');
    expect(print.name).toBe('Table.pdf');
    expect(print.bytes.toString('latin1', 0, 5)).toBe('%PDF-');
    expect(print.bytes.toString('latin1')).toMatch(/%%EOF\s*$/);

    await button('Copy picture').click();
    const told = await app.waitFor('copied-picture');
    const onClipboard = Buffer.from(told.png, 'base64');
    expect(onClipboard.subarray(0, 8)).toEqual(png);
    expect(await scanned(onClipboard)).toBe(address);
    const again = app.page.getByRole('dialog').getByRole('button', { name: 'Copy URL' });
    expect(await copied(again, 'content/qr/QrDownload.vue')).toBe(address);
    await app.page.keyboard.press('Escape');
  });

  test('links are exported, one per row', async () => {
    await goTo('/links');
    await button('More options').click();
    const table = await save(menuItem('Export as CSV'), 'content/links/use-link-export.ts');
    expect(table.name).toMatch(/\.csv$/);
    const lines = table.bytes.toString().trim().split(/\r?\n/);
    expect(lines).toHaveLength(3);
    expect(lines.join()).toContain('https://example.com/menu');
    await button('More options').click();
    const document = await save(menuItem('Export as JSON'), 'content/links/use-link-export.ts');
    expect(JSON.stringify(JSON.parse(document.bytes.toString()))).toContain('https://example.com/poster');
  });

  test('statistics are saved as numbers, chart and report, and single clicks in both formats', {
    tags: 'long',
  }, async () => {
    await goTo('/overview');
    const headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    for (const path of ['/menu', '/menu', '/poster'])
      await fetch(`${origin}${path}`, { redirect: 'manual', headers });
    const clicks = async () => {
      const { body } = await ask(app, { method: 'GET', path: '/api/urls' });
      return (body as { data: { urls: { clicks: number }[] } }).data.urls.map((link) => link.clicks).sort();
    };
    await expect.poll(clicks).toEqual([1, 2]);
    await expect.poll(() => app.page.locator('main').textContent()).toMatch(/Clicks\s*3\D/);
    const exported = async (name: string, file: string) => {
      await button('Export').click();
      return save(menuItem(name), file);
    };
    const figures = await exported('Figures (CSV)', 'visits/stats/StatsControls.vue');
    expect(figures.name).toMatch(/\.csv$/);
    expect(figures.bytes.toString()).toMatch(/^"Total",.*,3,/m);
    const chart = await exported('Chart (PNG)', 'visits/stats/StatsControls.vue');
    expect(chart.name).toMatch(/\.png$/);
    expect(chart.bytes.subarray(0, 8)).toEqual(png);
    // Something is drawn on it.
    const { channels } = await sharp(chart.bytes).stats();
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(1);
    const report = await exported('Report (HTML)', 'visits/stats/StatsControls.vue');
    expect(report.name).toMatch(/\.html$/);
    expect(report.bytes.toString()).toMatch(/^<!doctype html>/i);
    expect(report.bytes.toString()).toContain('data:image/svg+xml');

    const clicksIn = async (name: string) => {
      const file = await exported(name, 'visits/stats/use-click-export.ts');
      return { name: file.name, lines: file.bytes.toString().trim().split(/\r?\n/) };
    };
    const table = await clicksIn('Clicks (CSV)');
    expect(table.name).toMatch(/\.csv$/);
    expect(table.lines).toHaveLength(4);
    expect(table.lines.filter((line) => line.includes('menu'))).toHaveLength(2);
    const documents = await clicksIn('Clicks (JSON lines)');
    expect(documents.name).toMatch(/\.jsonl$/);
    expect(documents.lines.map((line) => JSON.parse(line))).toHaveLength(3);
  });

  test('a comparison of links is saved as numbers and chart', { tags: 'long' }, async () => {
    const names: string[] = [];
    const compared: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { body } = await post('/api/url/add', { url: 'https://example.com/compared' });
      const { id, shorturl } = body as { id: number; shorturl: string };
      names.push(shorturl.replace('http://', ''));
      compared.push(`of=link-${id}`);
    }
    await goTo(`/compare?${compared.join('&')}`);
    // The page before has a button of that name, too.
    await app.page.getByRole('heading', { name: 'Compare statistics' }).waitFor();
    // On phones names stand in rows of their own, which are hidden here.
    for (const name of names) await app.page.getByText(name).filter({ visible: true }).first().waitFor();
    const exported = async (name: string, file: string) => {
      await button('Export').click();
      return save(menuItem(name), file);
    };
    const figures = await exported('Figures (CSV)', 'content/comparison/ComparisonExport.vue');
    expect(figures.name).toMatch(/\.csv$/);
    for (const name of names) expect(figures.bytes.toString()).toContain(name);
    const chart = await exported('Chart (PNG)', 'content/comparison/ComparisonExport.vue');
    expect(chart.name).toMatch(/\.png$/);
    expect(chart.bytes.subarray(0, 8)).toEqual(png);
    const { channels } = await sharp(chart.bytes).stats();
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(1);
  });

  test('links copied from menus lead to the right place', { tags: 'long' }, async () => {
    await add('/api/campaign/add', { name: 'Spring', public: true });
    await add('/api/bio/add', { name: 'Me', blocks: [{ type: 'heading', text: 'Hello' }] });
    await add('/api/pixel/add', { type: 'bing', name: 'Ads', tag: '1234567' });
    const fromMenu = async (list: string, name: string, entry: string, file: string) => {
      await goTo(list);
      await row(name)
        .getByRole('button', { name: /^Actions/ })
        .click();
      return copied(app.page.getByRole('menuitem', { name: entry, exact: true }), file);
    };
    expect(await fromMenu('/links', '/menu', 'Copy short link', 'content/links/use-link-menu.ts')).toBe(
      `${origin}/menu`,
    );
    expect(await fromMenu('/links', '/menu', 'Copy destination', 'content/links/use-link-menu.ts')).toBe(
      'https://example.com/menu',
    );
    expect(await fromMenu('/pixels', 'Ads', 'Copy tag', 'content/pixels/PixelTable.vue')).toBe('1234567');
    const list = await fromMenu(
      '/campaigns',
      'Spring',
      'Copy list URL',
      'content/campaigns/CampaignTable.vue',
    );
    const bio = await fromMenu('/bio', 'Me', 'Copy URL', 'content/bio/BioTable.vue');
    for (const [address, text] of [
      [list, 'Spring'],
      [bio, 'Hello'],
    ] as const) {
      const reply = await fetch(address);
      expect(reply.status, address).toBe(200);
      expect(await reply.text()).toContain(text);
    }
  });

  test('rows that an import rejected are saved with the reasons', { tags: 'long' }, async () => {
    await goTo('/import');
    await app.page.locator('input[type=file]').setInputFiles({
      name: 'links.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('url,alias\nhttps://example.com/ok,fine\njavascript:alert(1),bad\n'),
    });
    const file = await save(
      app.page.getByRole('button', { name: /^Download/ }).first(),
      'content/import/ImportPage.vue',
    );
    expect([...file.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(file.bytes.toString()).toContain('javascript:alert(1)');
  });

  test('responses to an overlay are saved', { tags: 'long' }, async () => {
    const { id } = await idOf('/api/overlay/add', {
      type: 'poll',
      name: 'A poll',
      content: { question: 'Tea?', answers: ['Yes', 'No'] },
    });
    for (const [visitor, answer] of ['Yes', 'Yes', 'No'].entries()) {
      await fetch(`${origin}/o/${id}`, {
        method: 'POST',
        headers: { 'user-agent': `Firefox/${visitor}` },
        body: new URLSearchParams({ answer, back: '/' }),
        redirect: 'manual',
      });
    }
    await goTo(`/overlays/${id}/answers`);
    const file = await save(button('Export as CSV'), 'content/overlays/OverlayAnswersPage.vue');
    expect(file.name).toBe(`overlay-${id}-answers.csv`);
    const rows = file.bytes.toString().trim().split(/\r?\n/);
    expect(
      rows
        .slice(1)
        .map((line) => line.split(',')[0])
        .sort(),
    ).toEqual(['No', 'Yes', 'Yes']);
  });

  test('a backup is downloaded through the browser, and the copied backup folder exists', {
    tags: 'long',
  }, async () => {
    await goTo('/settings/backups');
    await button('Back up now').first().click();
    await app.page
      .getByText(/^Restorable, checked/)
      .first()
      .waitFor();
    await app.page
      .getByRole('button', { name: /^Actions/ })
      .first()
      .click();
    await menuItem('Download').click();
    const { address } = await app.waitFor('opened');
    const reply = await fetch(address);
    expect(reply.headers.get('content-disposition')).toContain('.tar.gz');
    expect([...new Uint8Array(await reply.arrayBuffer()).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    expect(existsSync(await copied(button('Copy').first(), 'operations/backup/BackupSettings.vue'))).toBe(
      true,
    );
  });

  test('a new key is copied, and the command to try it works unchanged', { tags: 'long' }, async () => {
    await goTo('/settings/keys');
    await button('New key').first().click();
    await app.page.getByLabel('Name').fill('Copied');
    await button('Create key').click();
    const key = await copied(button('Copy API key'), 'identity/keys/NewKeyDialog.vue');
    expect(key).toBe(await app.page.locator('[data-new-key]').textContent());
    const reply = await fetch(`${origin}/api/account`, { headers: { authorization: `Bearer ${key}` } });
    expect(reply.status).toBe(200);
    const command = await copied(button('Copy command'), 'ui/CodeSample.vue');
    const [address = '', header = ''] = /^curl (\S+) \\\n {2}-H "(.*)"$/.exec(command)?.slice(1) ?? [];
    const tried = await fetch(address, { headers: [header.split(': ') as [string, string]] });
    expect(tried.status).toBe(200);
    await button('Done, I saved it').click();
  });

  test("a webhook's secret is copied, and signs what it sends", { tags: 'long' }, async () => {
    const arrived: { headers: IncomingHttpHeaders; body: string }[] = [];
    const receiver = await httpServer(({ headers, body }, response) => {
      arrived.push({ headers, body });
      response.end();
    });
    await post('/api/settings', { allowedPrivateRanges: ['127.0.0.0/8'] }, 'PUT');
    await goTo('/settings/webhooks');
    await button('New webhook').first().click();
    const form = app.page.getByRole('dialog');
    await form.getByLabel('URL').fill(`${receiver.origin}/hook`);
    await form.getByRole('button', { name: 'Create' }).click();
    const secret = await copied(button('Copy secret'), 'network/webhooks/WebhookSettings.vue');
    await button('Done').click();
    const line = app.page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
    await line.getByRole('button', { name: /^Actions for/ }).click();
    await menuItem('Send a test').click();
    await expect.poll(() => arrived.length).toBe(1);
    const [{ headers, body } = { headers: {}, body: '' }] = arrived;
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signing = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'));
    expect(headers['webhook-signature']).toContain(signing.update(signed).digest('base64'));
    await receiver.close();
  });

  test('an invitation is copied, and leads to the registration form', { tags: 'long' }, async () => {
    await goTo('/settings/users');
    await button('Invite').click();
    await button('Create link').click();
    const invitation = await copied(button('Copy invitation link'), 'identity/teams/InvitationLink.vue');
    expect(invitation).toBe(await app.page.locator('[data-invite]').textContent());
    const reply = await fetch(origin + new URL(invitation).pathname);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    await app.page.keyboard.press('Escape');
  });

  test("the local authority's root certificate is downloaded through the browser, and its fingerprint copied", {
    tags: 'long',
  }, async () => {
    await post('/api/settings', { ssl: { mode: 'local' } }, 'PUT');
    await goTo('/domains');
    await button('Trust on your devices').click();
    const dialog = app.page.getByRole('dialog');
    const before = app.told.length;
    await dialog.getByRole('link', { name: /^Download/ }).click();
    const opened = () =>
      app.told.slice(before).flatMap((told) => (told.type === 'opened' ? [told.address] : []));
    await expect.poll(() => opened().length).toBe(1);
    const address = opened()[0] ?? '';
    const copyUrl = dialog.getByRole('button', { name: 'Copy its URL' });
    expect(await copied(copyUrl, 'network/domains/TrustDialog.vue')).toBe(address);
    const reply = await fetch(address);
    expect(reply.headers.get('content-disposition')).toContain('waypost-root.crt');
    const root = new X509Certificate(await reply.text());
    expect(root.ca).toBe(true);
    const fingerprint = dialog.getByRole('button', { name: 'Copy the fingerprint' });
    expect(await copied(fingerprint, 'ui/FingerprintBlock.vue')).toBe(root.fingerprint256);
    await app.page.keyboard.press('Escape');
  });

  test('the API description is downloaded through the browser', { tags: 'long' }, async () => {
    await goTo('/api');
    const before = app.told.length;
    await app.page.locator('a[href$="/api/openapi.json"]').click();
    const opened = () =>
      app.told.slice(before).flatMap((told) => (told.type === 'opened' ? [told.address] : []));
    await expect.poll(() => opened().length).toBe(1);
    const reply = await fetch(opened()[0] ?? '');
    expect(await reply.json()).toMatchObject({ openapi: expect.stringMatching(/^3\./) });
  });

  test('the log file is shown in its folder, complete', async () => {
    app.order({ type: 'click-menu', id: 'show-log' });
    const { path } = await app.waitFor('shown-file');
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: 'the app is starting' });
  });

  test('recovery codes count as saved only after they were saved', async () => {
    await goTo('/settings/security');
    await button('Set up').click();
    await app.page.locator('[data-secret]').waitFor();
    const secret = await copied(
      app.page.getByRole('button', { name: 'Copy the secret' }),
      'identity/two-factor/TwoFactorSetup.vue',
    );
    await app.page.getByLabel('Code', { exact: true }).fill(totpCode(secret, Date.now()));
    await app.page.getByText('Save these recovery codes').waitFor();
    const codes = await app.page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allTextContents();
    const done = button('Done');

    app.order({ type: 'save-at' });
    const before = app.told.filter(({ type }) => type === 'asked-where').length;
    await button('Download').click();
    await expect.poll(() => app.told.filter(({ type }) => type === 'asked-where').length).toBe(before + 1);
    await ask(app, { method: 'GET', path: '/api/health' });
    await expect.poll(() => done.isDisabled()).toBe(true);

    // A folder in the place of the file: the person is told, and nothing counts as kept.
    app.order({ type: 'save-at', path: folder });
    await button('Download').click();
    await app.waitFor('asked', ({ message }) => message === 'The file was not saved');
    await expect.poll(() => done.isDisabled()).toBe(true);

    const file = await save(button('Download'), 'identity/two-factor/RecoveryCodes.vue');
    for (const code of codes) expect(file.bytes.toString()).toContain(code);
    expect(file.bytes.toString()).toContain('Each works once.');
    await expect.poll(() => done.isDisabled()).toBe(false);
    expect(await copied(button('Copy'), 'identity/two-factor/RecoveryCodes.vue')).toBe(codes.join('\n'));
    await done.click();
  });
});
