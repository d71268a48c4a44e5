// What the desktop does on a disk that is full, with the space that the server has put aside and without, and on one
// that is read-only.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { reserveName } from '../../server/platform/database/disk-space.ts';
import { ask, desktopBench, serverState, setUpByClicking } from '../support/desktop-flow.ts';
import type { DesktopApp } from '../support/electron.ts';
import { type SmallDisk, smallDisk } from '../support/small-disk.ts';

const bench = desktopBench();

let disk: SmallDisk | undefined;
beforeEach(() => {
  disk = smallDisk(256);
});
afterEach(async () => {
  await launched?.kill();
  launched = undefined;
  disk?.remove();
});

let launched: DesktopApp | undefined;

/** The app on the small disk; what Chromium writes is not ours to judge, and lies elsewhere. */
async function launchOn({ folder }: SmallDisk): Promise<DesktopApp> {
  launched = await bench.launch({ userData: join(folder, 'waypost'), ownFolder: bench.userData() });
  return launched;
}

/** Sets the app up with one link, and ends it; returns the link's address. */
async function firstDay(on: SmallDisk): Promise<string> {
  const app = await launchOn(on);
  await setUpByClicking(app);
  const { shorturl } = await add(app, 'kept');
  await expect
    .poll(() => existsSync(join(on.folder, 'waypost', 'data', reserveName)), { timeout: 20_000 })
    .toBe(true);
  await app.close();
  return shorturl;
}

async function add(app: DesktopApp, name: string): Promise<{ shorturl: string }> {
  const reply = await ask(app, {
    method: 'POST',
    path: '/api/url/add',
    body: { url: `https://example.com/${name}` },
  });
  expect(reply.status).toBe(200);
  return reply.body as { shorturl: string };
}

const follow = async (address: string) =>
  (await fetch(address, { redirect: 'manual' })).headers.get('location');

test('on a full disk links keep working, a setting that cannot be stored is refused, and with free space everything continues', {
  tags: 'long',
}, async (context) => {
  if (!disk) return context.skip('no small disk can be mounted here');
  const shorturl = await firstDay(disk);
  disk.fill();
  const app = await launchOn(disk);
  await serverState(app, 'running');
  await app.page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await follow(shorturl)).toBe('https://example.com/kept');

  const preferences = join(disk.folder, 'waypost', 'preferences.json');
  const before = readFileSync(preferences, 'utf8');
  await app.page.getByRole('link', { name: 'Settings', exact: true }).click();
  await app.page.getByRole('link', { name: 'This app' }).click();
  // The server may have given back what it had put aside.
  disk.fill();
  await app.page.getByRole('switch', { name: 'System notifications' }).click();
  await app.page.getByText('Make room on that disk and try again.').first().waitFor();
  expect(readFileSync(preferences, 'utf8')).toBe(before);
  await app.close();
  expect(await app.exited).toBe(0);
  expect(app.told.filter(({ type }) => type === 'error-box' || type === 'uncaught')).toEqual([]);

  disk.release();
  const again = await launchOn(disk);
  await serverState(again, 'running');
  expect(await follow((await add(again, 'new')).shorturl)).toBe('https://example.com/new');
  await again.close();

  // Nor that the server cannot start there, which the tests of the server say in short.
  if (!inject('isLong')) return;
  // Where not even the server can start, the window says that the disk is full, and a restart after it mends it.
  rmSync(join(disk.folder, 'waypost', 'data', reserveName), { force: true });
  disk.fill();
  const stopped = await launchOn(disk);
  expect(await serverState(stopped, 'stopped')).toMatchObject({
    message: expect.stringContaining('disk is full'),
  });
  expect(stopped.told.filter(({ type }) => type === 'error-box' || type === 'uncaught')).toEqual([]);
  disk.release();
  await stopped.page.getByRole('button', { name: /start/i }).first().click();
  await serverState(stopped, 'running');
  await stopped.page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await follow(shorturl)).toBe('https://example.com/kept');
});

test('settings that cannot be written are reported in a dialog, with an alternative folder, and the app exits', async (context) => {
  if (!disk) return context.skip('no small disk can be mounted here');
  const userData = join(disk.folder, 'waypost');
  mkdirSync(userData);
  writeFileSync(join(userData, 'preferences.json'), '{}');
  disk.makeReadOnly();
  const app = await bench.start({ userData, ownFolder: bench.userData() });
  const { title, content } = await app.waitFor('error-box');
  expect(title).toBe('Waypost could not start');
  expect(content).toContain(`${userData}, and cannot write there (EROFS)`);
  expect(content).toContain('--user-data-dir=FOLDER');
  expect(await app.exited).toBe(1);
  expect(app.told.filter(({ type }) => type === 'window' || type === 'unhandled')).toEqual([]);
});

test('if only the links cannot be written, the window says so and where', {
  tags: 'long',
}, async (context) => {
  if (!disk) return context.skip('no small disk can be mounted here');
  symlinkSync(disk.folder, join(bench.userData(), 'data'));
  disk.makeReadOnly();
  const app = await bench.launch();
  const data = join(bench.userData(), 'data');
  expect(await serverState(app, 'stopped')).toMatchObject({
    message: `Waypost cannot write to ${data}, because the disk is read-only. Give the user that runs it access to that place, or choose another data folder.`,
  });
  await app.page.getByText(`cannot write to ${data}`).first().waitFor();
  // A person has to do something, so it is not tried again and again.
  expect(app.told.filter(({ type }) => type === 'server')).toHaveLength(1);
});
