// The buttons of the desktop that copy a text, pressed where they stand; what is on the clipboard then is what the page
// shows, or leads there. Those that also save are in desktop-saving.test.ts.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../build/processes.ts';
import { ask, launchSetUpDesktop } from '../support/desktop-flow.ts';
import { type DesktopApp, launchDesktop } from '../support/electron.ts';
import { findChromium } from '../support/provision.ts';

/**
 * Copies that a test of the desktop cannot reach without a name server, an engine, a network or another computer. Each
 * goes through the one component that all the others go through, and stands on pages that tests of those things open.
 */
const outOfReach = [
  'network/domains/DomainPage.vue',
  'network/domains/DomainTable.vue',
  'network/domains/ProofGuide.vue',
  'network/domains/RecordCards.vue',
  'network/fleet/EdgeList.vue',
  'network/sharing/SharedAddress.vue',
];

const isPossible = findChromium() !== undefined;
let app: DesktopApp;
let folder = '';
let origin = '';
let names = 0;

beforeAll(async () => {
  if (!isPossible) return;
  folder = mkdtempSync(join(tmpdir(), 'waypost-copying-'));
  app = await launchSetUpDesktop({ userData: join(folder, 'app') });
  app.page.setDefaultTimeout(20_000);
  const { shorturl } = await add<{ id: number; shorturl: string }>('/api/url/add', {
    url: 'https://example.com',
  });
  origin = new URL(shorturl).origin;
});
afterAll(async () => {
  await app?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** A name that nothing has yet, also when a test is tried once more. */
const named = (name: string) => `${name} ${++names}`;
const button = (name: string) => app.page.getByRole('button', { name, exact: true });
const row = (text: string) => app.page.getByRole('row').filter({ hasText: text });
const texts = (from: number, where = app) =>
  where.told.slice(from).flatMap((told) => (told.type === 'copied' ? [told.text] : []));

/** Presses what copies, which stands in a file of renderer/; returns the text on the clipboard. */
async function copied(what: Locator, file: string, where = app): Promise<string> {
  const before = where.told.length;
  await what.click();
  await expect.poll(() => texts(before, where), { message: file }).toHaveLength(1);
  return texts(before, where)[0] ?? '';
}

/** Copies by an entry of the menu of a record's row. */
async function copiedByMenu(name: string, entry: string, file: string): Promise<string> {
  await row(name)
    .getByRole('button', { name: /^Actions/ })
    .click();
  return copied(app.page.getByRole('menuitem', { name: entry, exact: true }), file);
}

/** Goes to another page of the app and waits for it: the one before may have buttons of the same names. */
async function goTo(path: string, title: string): Promise<void> {
  await app.page.evaluate((to) => {
    history.pushState({}, '', `/admin${to}`);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, path);
  await app.page.getByRole('heading', { name: title, exact: true, level: 1 }).waitFor();
}

async function add<Made extends { id: number }>(path: string, body: unknown): Promise<Made> {
  const reply = await ask(app, { method: 'POST', path, body });
  expect(reply, path).toMatchObject({ body: { error: 0 } });
  return reply.body as Made;
}

describe.runIf(isPossible)('in the desktop app', () => {
  test('a generated password is copied in the first run, then the key and a command to try it', {
    tags: 'long',
  }, async () => {
    const userData = mkdtempSync(join(folder, 'first-run-'));
    const first = await launchDesktop({ userData });
    onTestFinished(() => first.close());
    const pressed = (name: string, file: string) =>
      copied(first.page.getByRole('button', { name, exact: true }), file, first);
    // A password is generated once more when the system has said who sits here.
    await expect.poll(() => first.page.getByLabel('Email').inputValue()).toMatch(/@/);
    await first.page.getByRole('button', { name: 'Generate', exact: true }).click();
    const password = await pressed('Copy password', 'operations/setup/SetupPage.vue');
    expect(password).toBe(await first.page.getByLabel('Password', { exact: true }).inputValue());
    await first.page.getByRole('button', { name: 'Create account' }).click();
    await first.page.getByRole('button', { name: 'API key', exact: true }).click();
    const key = await pressed('Copy API key', 'identity/session/NewKey.vue');
    expect(key).toBe(await first.page.getByText(/^wp_[\w-]+$/).textContent());
    expect(await pressed('Copy command', 'ui/CodeSample.vue')).toContain(key);
  });

  test("a link's page copies the link, its destination and its public statistics", async () => {
    const link = await add<{ id: number; shorturl: string }>('/api/url/add', {
      url: 'https://example.com/a?b=1',
      title: 'A link',
    });
    await goTo(`/links/${link.id}`, 'A link');
    expect(await copied(button('Copy destination'), 'content/links/LinkFacts.vue')).toBe(
      'https://example.com/a?b=1',
    );
    expect(await copied(button('Copy short link'), 'ui/LinkActions.vue')).toBe(link.shorturl);
    await button('Share').click();
    const dialog = app.page.getByRole('dialog');
    await dialog.getByRole('switch', { name: 'Share statistics' }).click();
    const statistics = await copied(
      dialog.getByRole('button', { name: 'Copy statistics URL' }),
      'visits/stats/SharedStats.vue',
    );
    expect((await fetch(statistics)).status).toBe(200);
    await app.page.keyboard.press('Escape');
  });

  test('a link is copied when it is created, by form or pasting, and later by hand', {
    tags: 'long',
  }, async () => {
    await goTo('/links', 'Links');
    const before = app.told.length;
    await app.page.getByRole('button', { name: 'New link' }).first().click();
    const form = app.page.getByRole('dialog', { name: 'New link' });
    await form.getByLabel('Destination').first().fill('https://example.com/made');
    await app.page.keyboard.press('Control+Enter');
    await expect.poll(() => texts(before), { message: 'content/links/use-made-toast.ts' }).toHaveLength(1);
    const [made = ''] = texts(before);
    expect(await leadsTo(made)).toBe('https://example.com/made');
    // What is pasted beside an open form is the form's.
    await form.waitFor({ state: 'hidden' });
    expect(await copied(button('Copy again'), 'content/links/use-made-toast.ts')).toBe(made);

    const beforePaste = app.told.length;
    await app.page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'https://example.com/pasted');
      document.body.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    await button('Shorten and copy').click();
    await expect.poll(() => texts(beforePaste), { message: 'frame/use-pasted-address.ts' }).toHaveLength(1);
    expect(await leadsTo(texts(beforePaste)[0] ?? '')).toBe('https://example.com/pasted');
  });

  test("a pixel's tag and what it loads are copied", { tags: 'long' }, async () => {
    const name = named('Ads');
    const { id } = await add('/api/pixel/add', { type: 'bing', name, tag: '7654321' });
    await goTo('/pixels', 'Pixels');
    expect(
      await copied(row(name).getByRole('button', { name: 'Copy tag' }), 'content/pixels/PixelTable.vue'),
    ).toBe('7654321');
    await goTo(`/pixels/${id}`, name);
    expect(await copied(button('Copy tag'), 'content/pixels/PixelPage.vue')).toBe('7654321');
    const address = await copied(button('Copy URL').first(), 'content/pixels/WhatFires.vue');
    expect(await app.page.locator('main').textContent()).toContain(address);
    expect(new URL(address).protocol).toBe('https:');
  });

  test("a campaign's rotator and list are copied, from the table and its page", {
    tags: 'long',
  }, async () => {
    const campaign = named('Autumn');
    const { id } = await add('/api/campaign/add', {
      name: campaign,
      slug: campaign.replace(' ', '-'),
      public: true,
    });
    await add('/api/url/add', { url: 'https://example.com/turn', campaign: id });
    await goTo('/campaigns', 'Campaigns');
    const rotator = await copiedByMenu(campaign, 'Copy rotator URL', 'content/campaigns/CampaignTable.vue');
    expect(await leadsTo(rotator)).toBe('https://example.com/turn');
    await goTo(`/campaigns/${id}`, campaign);
    const entry = async (name: string) => {
      await button(`Actions for ${campaign}`).click();
      return app.page.getByRole('menuitem', { name, exact: true });
    };
    expect(await copied(await entry('Copy rotator URL'), 'content/campaigns/CampaignPage.vue')).toBe(rotator);
    const list = await copied(await entry('Copy list URL'), 'content/campaigns/CampaignPage.vue');
    expect(await (await fetch(list)).text()).toContain(campaign);
  });

  test('a file and a code are copied from their menus', { tags: 'long' }, async () => {
    await goTo('/files', 'Files');
    const notes = `${named('notes')}.txt`;
    await app.page
      .locator('input[type=file]')
      .setInputFiles({ name: notes, mimeType: 'text/plain', buffer: Buffer.from('hello') });
    const file = await copiedByMenu(notes, 'Copy short link', 'content/files/FileTable.vue');
    expect(await (await fetch(file)).text()).toBe('hello');
    const name = named('Table');
    await add('/api/qr/add', {
      type: 'link',
      name,
      data: { url: 'https://example.com/table' },
      dynamic: true,
    });
    await goTo('/qr-codes', 'QR codes');
    expect(await leadsTo(await copiedByMenu(name, 'Copy URL', 'content/qr/QrTable.vue'))).toBe(
      'https://example.com/table',
    );
  });

  test('an item of a channel is copied from its menu', { tags: 'long' }, async () => {
    const channel = named('Print');
    const { id } = await add('/api/channel/add', { name: channel });
    const url = 'https://example.com/item';
    const title = named('An item');
    const link = await add<{ id: number; shorturl: string }>('/api/url/add', { url, title });
    expect(
      await ask(app, { method: 'POST', path: `/api/channel/${id}/assign/links/${link.id}` }),
    ).toMatchObject({
      body: { error: 0 },
    });
    await goTo(`/channels/${id}`, channel);
    expect(await copiedByMenu(title, 'Copy short link', 'content/channels/ChannelItemTable.vue')).toBe(
      link.shorturl,
    );
  });

  test('the sender of a message is copied', { tags: 'long' }, async () => {
    const name = named('Me');
    const { id } = await add('/api/bio/add', { name, blocks: [{ type: 'contact', title: 'Write' }] });
    await fetch(`${origin}/bio/${id}/1`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'Eve', email: 'eve@example.com', message: 'Hello', back: '/' }),
      redirect: 'manual',
    });
    await goTo(`/bio/${id}?part=messages`, name);
    expect(await copied(button('Email'), 'content/bio/MessageList.vue')).toBe('eve@example.com');
  });

  test('the callback URL for a sign-in provider is copied', { tags: 'long' }, async () => {
    await goTo('/settings/sso', 'Settings');
    const address = await copied(button('Copy'), 'operations/single-sign-on/ProviderForm.vue');
    expect(await app.page.locator('main').textContent()).toContain(address);
    expect(new URL(address).protocol).toMatch(/^https?:$/);
  });
});

test('every place in the renderer that copies or saves is covered by a desktop test', () => {
  const tests = ['desktop-copying.test.ts', 'desktop-saving.test.ts']
    .map((name) => readFileSync(join(projectRoot, 'test/e2e', name), 'utf8'))
    .join('\n');
  const pressed = (file: string) => tests.split(`'${file}'`).length - 1;
  const sources = readdirSync(join(projectRoot, 'renderer'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.(vue|ts)$/.test(file) && !throughWhich.includes(file));
  const places = sources.flatMap((file) => {
    const text = readFileSync(join(projectRoot, 'renderer', file), 'utf8');
    const count = text.match(/<CopyButton|\b(copyText|copyPicture|saveFile|saveText)\(/g)?.length ?? 0;
    return count > 0 ? [{ file, count }] : [];
  });
  expect(places.length).toBeGreaterThan(30);
  expect(places.filter(({ file, count }) => !outOfReach.includes(file) && pressed(file) < count)).toEqual([]);
  expect(outOfReach.filter((file) => !places.some((place) => place.file === file))).toEqual([]);
});

/** What all of them go through. */
const throughWhich = [
  'ui/CopyButton.vue',
  'ui/copy-text.ts',
  'ui/copy-picture.ts',
  'ui/save-file.ts',
  'ui/use-file-saving.ts',
];

async function leadsTo(address: string): Promise<string | null> {
  return (await fetch(address, { redirect: 'manual' })).headers.get('location');
}
