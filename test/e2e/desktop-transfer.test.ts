import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { ApiRequest } from '../../preload/contract.ts';
import { faultsOf } from '../support/axe.ts';
import { ask, type DesktopBench, desktopBench } from '../support/desktop-flow.ts';
import {
  addPlain,
  addWaypost,
  desktopRemotes,
  type Remotes,
  shownInstance,
} from '../support/desktop-remotes.ts';
import type { DesktopApp } from '../support/electron.ts';

const bench: DesktopBench = desktopBench();
const remotes: Remotes = desktopRemotes({ plainPerMinute: 300 });

type Body = { [field: string]: unknown };

/** A request to the server in the app, as the page makes it. Returns the reply's document. */
async function atHome(
  app: DesktopApp,
  method: ApiRequest['method'],
  path: string,
  body?: Body,
): Promise<Body> {
  const reply = await ask(app, { method, path, ...(body && { body }) });
  const document = reply.body as Body;
  if (document.error !== 0) throw new Error(`${path}: ${document.message}`);
  return document;
}

const listAtHome = async (app: DesktopApp, path: string, list: string): Promise<Body[]> => {
  const { data } = await atHome(app, 'GET', path);
  return (data as { [list: string]: Body[] })[list] ?? [];
};

const rowOf = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text });

async function expectAccessible(page: Page): Promise<void> {
  expect(await faultsOf(page)).toEqual([]);
}

async function undoIt(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('heading', { name: 'Everything this copy created was removed' }).waitFor();
}

test('links are copied from another server with all their settings, and back', {
  tags: 'long',
}, async () => {
  const atRemote = remotes.ask<{ id: number }>;
  const campaign = await atRemote('POST', '/api/campaign/add', {
    name: 'Spring',
    slug: 'spring-days',
    public: true,
  });
  const channel = await atRemote('POST', '/api/channel/add', {
    name: 'Mail',
    color: '#FF8800',
    starred: true,
  });
  await atRemote('PUT', '/api/account/update', { timezone: 'Asia/Kolkata' });
  await atRemote('POST', '/api/url/add', {
    url: 'https://example.com/spring',
    custom: 'spring',
    title: 'Spring offers',
    campaign: campaign.id,
    channel: channel.id,
    expiry: '2031-06-01 12:00:00',
    geotarget: [{ location: 'DE', link: 'https://example.com/de' }],
    parameters: [{ name: 'utm_source', value: 'mail' }],
    redirect: 307,
    locked: true,
  });
  await atRemote('POST', '/api/url/add', { url: 'https://example.com/theirs', custom: 'both' });
  await atRemote('POST', '/api/url/add', {
    url: 'https://example.com/secret',
    custom: 'secret',
    password: 'open sesame',
  });

  const app = await bench.launchSetUp();
  const { page } = app;
  await atHome(app, 'PUT', '/api/account/update', { timezone: 'Europe/Berlin' });
  await atHome(app, 'POST', '/api/url/add', { url: 'https://example.com/ours', custom: 'both' });
  await addWaypost(page, remotes.waypost(), 'Office');
  await page.keyboard.press('Control+1');
  await shownInstance(page, 'This computer');

  await page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByRole('menuitem', { name: 'Copy from another instance…' }).click();
  await page.getByRole('combobox', { name: 'Which links' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Preview' }).click();
  await rowOf(page, 'Spring offers').getByText('New').waitFor();
  await rowOf(page, 'example.com/theirs').getByText('Alias taken').waitFor();
  await rowOf(page, 'example.com/secret').getByText('Not possible').waitFor();
  await rowOf(page, 'Mail').getByText('New').waitFor();
  await expectAccessible(page);
  await page.getByRole('combobox', { name: /If an alias is already in use/ }).click();
  await page.getByRole('option', { name: /Copy with a random alias/ }).click();
  await page.getByRole('button', { name: 'Copy 4 rows' }).click();
  await page.getByRole('heading', { name: '4 rows were copied to This computer' }).waitFor();
  await rowOf(page, 'example.com/theirs').getByText('Copied, other alias').waitFor();
  await rowOf(page, 'example.com/secret').getByText('Skipped').waitFor();
  await expectAccessible(page);

  const urls = await listAtHome(app, '/api/urls', 'urls');
  expect(urls.map(({ longurl }) => longurl).toSorted()).toEqual([
    'https://example.com/ours',
    'https://example.com/spring',
    'https://example.com/theirs',
  ]);
  const [madeCampaign] = await listAtHome(app, '/api/campaigns', 'campaigns');
  const [madeChannel] = await listAtHome(app, '/api/channels', 'channels');
  expect(madeCampaign).toMatchObject({ name: 'Spring', slug: 'spring-days', public: true, urlcount: 1 });
  expect(madeChannel).toMatchObject({ name: 'Mail', color: '#FF8800', starred: true, count: 1 });
  const spring = urls.find(({ alias }) => alias === 'spring');
  expect((await atHome(app, 'GET', `/api/url/${spring?.id}`)).details).toMatchObject({
    title: 'Spring offers',
    campaign: madeCampaign?.id,
    channel: [madeChannel?.id],
    // Noon in India is half past eight of a summer morning in Berlin.
    expiry: '2031-06-01 08:30:00',
    location: { germany: 'https://example.com/de' },
    parameters: [{ name: 'utm_source', value: 'mail' }],
    redirect: 307,
    locked: true,
  });

  await undoIt(page);
  expect((await listAtHome(app, '/api/urls', 'urls')).map(({ longurl }) => longurl)).toEqual([
    'https://example.com/ours',
  ]);
  expect(await listAtHome(app, '/api/urls?status=trash', 'urls')).toEqual([]);
  expect(await listAtHome(app, '/api/campaigns', 'campaigns')).toEqual([]);
  expect(await listAtHome(app, '/api/channels', 'channels')).toEqual([]);

  // Once undone it can be done again, by a choice this time.
  await page.getByRole('button', { name: 'Copy something else' }).click();
  await page.getByRole('combobox', { name: 'Which links' }).click();
  await page.getByRole('option', { name: 'Links in a campaign' }).click();
  await page.getByLabel('Campaign', { exact: true }).click();
  await page.getByRole('option', { name: 'Spring' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Copy 3 rows' }).click();
  await page.getByRole('heading', { name: '3 rows were copied to This computer' }).waitFor();
  await page.getByRole('link', { name: 'Spring offers' }).click();
  await page
    .getByRole('heading', { name: /Spring offers/ })
    .first()
    .waitFor();
});

test('campaigns and channels are copied from and to a server with only the published contract', {
  tags: 'long',
}, async () => {
  const app = await bench.launchSetUp();
  const { page } = app;
  await atHome(app, 'POST', '/api/campaign/add', { name: 'Autumn', public: true });
  await atHome(app, 'POST', '/api/channel/add', { name: 'newsletter', color: '#00FF00' });
  const plain = remotes.plain();
  await addPlain(page, plain, 'Old service');

  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.getByText(/can’t read or write links/).waitFor();
  expect(await page.getByRole('checkbox', { name: 'Links' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Preview' }).click();
  await rowOf(page, 'newsletter').getByText('Already exists').waitFor();
  await page.getByRole('button', { name: 'Copy one row' }).click();
  await page.getByRole('heading', { name: 'One row was copied to Old service' }).waitFor();
  expect(plain.campaigns.map(({ name }) => name)).toEqual(['Spring sale', 'Autumn']);
  expect(plain.campaigns[1]?.public).toBe(true);
  await undoIt(page);
  expect(plain.campaigns.map(({ name }) => name)).toEqual(['Spring sale']);
  expect(plain.channels.map(({ name }) => name)).toEqual(['Newsletter']);

  await page.keyboard.press('Control+1');
  await shownInstance(page, 'This computer');
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'Preview' }).click();
  await rowOf(page, 'Spring sale').getByText('New').waitFor();
  await page.getByRole('button', { name: 'Copy one row' }).click();
  await page.getByRole('heading', { name: 'One row was copied to This computer' }).waitFor();
  const campaigns = await listAtHome(app, '/api/campaigns', 'campaigns');
  expect(campaigns.map(({ name }) => name)).toEqual(['Autumn', 'Spring sale']);
  // The key of one never goes to another.
  expect(new Set(plain.requests.map(({ key }) => key))).toEqual(new Set([undefined, plain.key]));
});
