// What the start of the desktop does differently on each system, and with each way of being started.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../build/free-port.ts';
import { desktopBench, isAlive, serverState, setUpByClicking } from '../support/desktop-flow.ts';

const bench = desktopBench();

describe('on macOS', () => {
  test('a start at sign-in shows no window, nor does opening the tray menu', { tags: 'long' }, async () => {
    const app = await bench.start({ platform: 'darwin', wasOpenedAtLogin: true });
    await app.waitFor('menu', ({ ids }) => ids.includes('tray-open'));
    app.order({ type: 'click-tray' });
    await app.waitFor('server');
    expect(app.told.filter(({ type }) => type === 'opening')).toEqual([]);
    app.order({ type: 'activate' });
    await app.waitFor('window');
    // One that the look had opened would only have come to the front now.
    expect(app.told.filter(({ type }) => type === 'focused')).toEqual([]);
  });

  test('the URL it was started with is offered; required permissions are explained; while quitting, no window opens again', {
    tags: 'long',
  }, async () => {
    const app = await bench.launch({
      platform: 'darwin',
      startAddress: 'waypost://new?url=https%3A%2F%2Fexample.com%2Fat-the-start',
      loginItemStatus: 'requires-approval',
      refusesNotifications: true,
    });
    await setUpByClicking(app);
    await app.page.getByText('A link asks to shorten this URL.').first().waitFor();
    await app.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await app.page.getByRole('link', { name: 'This app' }).click();
    await app.page.getByRole('switch', { name: 'Start when I sign in to this computer' }).click();
    await app.page.getByText('System Settings, General, Login Items').waitFor();
    // Refused notifications are logged.
    const killed = app.serverPid();
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => app.log()).toContain('the system showed no notification');
    // What they were to say stands in the menu of the icon, until somebody has looked.
    await app.waitFor('menu', ({ ids }) => ids.includes('tray-missed'));
    const focused = () => app.told.filter(({ type }) => type === 'focused').length;
    const before = focused();
    app.order({ type: 'click-menu', id: 'tray-missed' });
    await expect.poll(focused).toBe(before + 1);
    const menu = app.told.findLast((told) => told.type === 'menu' && told.ids.includes('tray-open'));
    expect(menu).not.toMatchObject({ ids: expect.arrayContaining(['tray-missed']) });
    await expect.poll(() => app.serverPid()).not.toBe(killed);
    await serverState(app, 'running');

    // It ends once its server has, and that is held up here.
    const server = app.serverPid();
    process.kill(server, 'SIGSTOP');
    const isClosed = app.page.waitForEvent('close');
    app.order({ type: 'quit' });
    await isClosed;
    await expect.poll(() => app.told.some(({ type }) => type === 'quitting')).toBe(true);
    // Not from the Dock either.
    app.order({ type: 'activate' });
    process.kill(server, 'SIGCONT');
    expect(await app.exited).toBe(0);
    expect(app.told.filter(({ type }) => type === 'opening')).toHaveLength(1);
  });
});

test('a locked or foreign key store is reported in the window, ends no sign-in, and allows signing in anyway', {
  tags: 'long',
}, async () => {
  const keys = () => readFileSync(join(bench.userData(), 'keys.json'), 'utf8');
  await (await bench.launchSetUp()).close();
  const before = keys();
  const elsewhere = await bench.launch({ keyStore: 'foreign' });
  await elsewhere.page.getByText('from another computer or user').waitFor();
  await elsewhere.page.getByRole('button', { name: 'Sign in again' }).click();
  await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // Nor does another start there, or a look that finds the page already signed out.
  await elsewhere.page.reload();
  await elsewhere.page.getByText('from another computer or user').waitFor();
  await elsewhere.close();
  expect(keys()).toBe(before);
  const app = await bench.launch({ keyStore: 'locked' });
  await app.page.getByText('key store is locked').waitFor();
  await app.page.getByRole('button', { name: 'Try again' }).click();
  await app.page.getByRole('button', { name: 'Sign in instead' }).click();
  await app.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(keys()).toBe(before);
  await app.close();
  // Nothing in what was sealed finds that a byte of it is another.
  const damaged = before.replace(/(?<="sealed": ")[^"]+/, (sealed) => {
    const bytes = Buffer.from(sealed, 'base64');
    bytes.writeUInt8(bytes.readUInt8(5) ^ 0x80, 5);
    return bytes.toString('base64');
  });
  expect(damaged).not.toBe(before);
  writeFileSync(join(bench.userData(), 'keys.json'), damaged);
  const worn = await bench.launch();
  await worn.page.getByRole('button', { name: 'Sign in again' }).waitFor();
  await worn.close();
  expect(keys()).toBe(damaged);
  writeFileSync(join(bench.userData(), 'keys.json'), before);
  // Back where it was sealed, nobody has to sign in.
  const home = await bench.launch();
  await home.page.getByRole('link', { name: 'Settings', exact: true }).waitFor();
});

describe('on Windows', () => {
  test('the app has its name before it shows anything, is among the login items, and stops its server at a shutdown', {
    tags: 'long',
  }, async () => {
    const app = await bench.launch({ platform: 'win32' });
    expect(app.told.findIndex(({ type }) => type === 'identity')).toBeLessThan(
      app.told.findIndex(({ type }) => type === 'window'),
    );
    expect(await app.waitFor('identity')).toMatchObject({ name: 'app', id: 'app.waypost.desktop' });
    // Windows scales no other kind of picture well.
    expect((await app.waitFor('tray')).picture).toMatch(/\.ico$/);
    await setUpByClicking(app);
    await app.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await app.page.getByRole('link', { name: 'This app' }).click();
    await app.page.getByRole('switch', { name: 'Start when I sign in to this computer' }).click();
    const items = join(bench.userData(), 'stand-in-login-items.json');
    await expect.poll(() => existsSync(items) && readFileSync(items, 'utf8')).toBe('["--hidden"]');
    await app.close();
    const switchedOff = await bench.launch({ platform: 'win32', isLoginItemSwitchedOff: true });
    await switchedOff.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await switchedOff.page.getByRole('link', { name: 'This app' }).click();
    const shown = switchedOff.page.getByRole('switch', { name: 'Start when I sign in' });
    await expect.poll(() => shown.getAttribute('aria-checked')).toBe('false');
    await serverState(switchedOff, 'running');
    switchedOff.order({ type: 'system-ends' });
    const pid = switchedOff.serverPid();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

// Asking for keys would show the person a window of the system, so that waits until somebody wants them.
test('on Wayland, the window is shown once it has content, and global shortcuts are not requested', {
  tags: 'long',
}, async () => {
  const path = join(bench.userData(), 'preferences.json');
  const window = { bounds: { x: 0, y: 0, width: 1000, height: 700 }, maximized: true };
  writeFileSync(path, JSON.stringify({ port: await freePort(), window }));
  const app = await bench.launchSetUp({ env: { XDG_SESSION_TYPE: 'wayland' } });
  expect((await app.waitFor('seen')).isDrawn).toBe(true);
  expect(existsSync((await app.waitFor('window')).icon ?? '')).toBe(true);
  expect(app.told.filter((told) => told.type === 'keys' && told.accelerator !== undefined)).toEqual([]);
});

test('runs from source use their own folder and options', { tags: 'long' }, async () => {
  const port = await freePort();
  const data = join(bench.userData(), 'chosen data');
  const app = await bench.launch({ isPackaged: false, args: ['--port', `${port}`, '--data', data] });
  expect((await app.waitFor('path')).path).toContain('Waypost Development');
  // Whoever starts them says where the server listens, and where its data lies.
  expect(await serverState(app, 'running')).toMatchObject({ origin: `http://127.0.0.1:${port}` });
  expect(existsSync(join(data, 'waypost.sqlite'))).toBe(true);
  // They take neither the keys nor the links of the installed app.
  await app.waitFor('menu', ({ ids }) => ids.includes('tray-open'));
  expect(app.told.filter((told) => told.type === 'keys' && told.accelerator !== undefined)).toEqual([]);
  expect(app.told.filter(({ type }) => type === 'scheme')).toEqual([]);
});

test('without a sandbox, the app still starts, reveals no data to a link that started it, and exits on Ctrl+C', {
  tags: 'long',
}, async () => {
  const data = join(bench.userData(), 'chosen data');
  const app = await bench.launch({ args: ['--no-sandbox', '--data', data] });
  await serverState(app, 'running');
  expect(existsSync(data)).toBe(false);
  // Ctrl+C reaches the server as well, which leaves the end to the app.
  process.kill(app.serverPid(), 'SIGINT');
  await app.page.reload();
  await app.page.getByRole('button', { name: 'Create account' }).waitFor();
  await serverState(app, 'running');
  process.kill(app.pid, 'SIGINT');
  expect(await app.exited).toBe(0);
  expect(app.told.filter(({ type }) => type === 'server')).toHaveLength(1);
  expect(app.log()).not.toContain('the server ended');
  expect(readdirSync(bench.userData())).toContain('logs');
});
