// What the start of the desktop does when something of it fails, and with files that nobody can read.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../build/free-port.ts';
import { ask, desktopBench, isAlive, serverState, setUpByClicking } from '../support/desktop-flow.ts';

const bench = desktopBench();

describe('a start that cannot go on', () => {
  test.each(['BrowserWindow', 'session.setDevicePermissionHandler'])(
    'is told, logged and ended where %s fails',
    async (name) => {
      const app = await bench.start({ failing: [name] });
      const { title, content } = await app.waitFor('error-box');
      expect(title).toBe('Waypost could not start');
      expect(content).toContain(name);
      expect(content).toContain('waypost.log');
      expect(await app.exited).toBe(1);
      expect(app.log()).toContain('the app could not start');
      expect(app.told.filter(({ type }) => type === 'unhandled' || type === 'uncaught')).toEqual([]);
    },
  );
});

test.each([
  [['Tray', 'globalShortcut.register', 'Menu.setApplicationMenu']],
  [['pictures']],
  [['nativeImage.createFromPath']],
])('the app starts without %j, and says so in its log', async (failing) => {
  const app = await bench.launch({ failing });
  await serverState(app, 'running');
  for (const name of failing) expect(app.log()).toContain(name);
  expect(app.told.filter(({ type }) => type === 'error-box' || type === 'unhandled')).toEqual([]);
});

test('a server that cannot even be forked is shown as stopped, in a window', async () => {
  const app = await bench.launch({ failing: ['utilityProcess.fork'] });
  expect(await serverState(app, 'stopped')).toMatchObject({
    message: expect.stringContaining('could not be started'),
  });
});

describe('files that cannot be read', () => {
  const damages: [string, (path: string) => void][] = [
    ['is empty', (path) => writeFileSync(path, '')],
    ['breaks off', (path) => writeFileSync(path, '{"port": 84')],
    ['is full of zeros', (path) => writeFileSync(path, Buffer.alloc(4096))],
    ['is a list', (path) => writeFileSync(path, '[1, 2]')],
    ['is a folder', (path) => mkdirSync(path)],
    [
      'has wrong things throughout',
      (path) =>
        writeFileSync(
          path,
          '{"port": "x", "window": 7, "remotes": {"a": 1}, "current": [], "a": {"sealed": 5}}',
        ),
    ],
    ['is far too large', (path) => writeFileSync(path, `"${'x'.repeat(6_000_000)}"`)],
  ];

  const files = ['preferences.json', 'instances.json', 'keys.json'];
  // All ways in three starts: what is done with one of the files is done with all.
  const starts = [0, 3, 6].map((first) =>
    files.map((file, index) => {
      const [how, damage] = damages[(first + index) % damages.length] ?? ['', () => {}];
      return { file, how: `${file} ${how}`, damage };
    }),
  );

  test.each(starts.map((damaged) => [damaged.map(({ how }) => how).join(', '), damaged] as const))(
    'the app starts when %s, puts them aside and says so once',
    async (_, damaged) => {
      for (const { file, damage } of damaged) damage(join(bench.userData(), file));
      const app = await bench.launch({ args: [] });
      const { detail } = await app.waitFor(
        'asked',
        ({ message }) => message === 'Some settings could not be read',
      );
      for (const { file } of damaged) {
        expect(detail).toContain(file);
        expect(existsSync(join(bench.userData(), `${file}.damaged`))).toBe(true);
      }
      await serverState(app, 'running');
      await app.close();
      const again = await bench.launch();
      await serverState(again, 'running');
      expect(again.told.filter(({ type }) => type === 'asked')).toEqual([]);
    },
  );

  test('the app starts, tells and ends when a pipe, a file and a link lie in the places of its files', async () => {
    const at = (name: string) => join(bench.userData(), name);
    execFileSync('mkfifo', [at('keys.json'), at('preferences.json.new'), at('instances.json.new')]);
    writeFileSync(at('logs'), 'a file where the folder should be');
    symlinkSync(at('nowhere/at/all'), at('instances.json'));
    const app = await bench.launch();
    const { detail } = await app.waitFor(
      'asked',
      ({ message }) => message === 'Some settings could not be read',
    );
    expect(detail).toContain('keys.json');
    expect(detail).toContain('logs is no folder');
    await setUpByClicking(app);
    await app.close();
    expect(await app.exited).toBe(0);
    expect(app.log()).toContain('the app ends');
    // What was set up is there again, the sign-in included.
    const again = await bench.launch();
    await again.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('a key that could not be sent is told of, and the others stay', async () => {
    const at = join(bench.userData(), 'keys.json');
    writeFileSync(
      at,
      JSON.stringify({ 'https://a.example': { plain: 'a\nb' }, 'https://b.example': { plain: 'kept' } }),
    );
    const app = await bench.launch();
    await app.waitFor('asked', ({ detail }) => detail.includes('keys.json could not be understood in parts'));
    await setUpByClicking(app);
    await app.close();
    const kept = JSON.parse(readFileSync(at, 'utf8'));
    expect(kept).toHaveProperty(['https://b.example']);
    expect(kept).not.toHaveProperty(['https://a.example']);
  });

  test('one wrong choice costs no other, and what a newer version added stays', async () => {
    const port = await freePort();
    const path = join(bench.userData(), 'preferences.json');
    writeFileSync(path, JSON.stringify({ port, shortcut: 'Foo+Bar', notifications: false, ofTomorrow: 1 }));
    const app = await bench.launch();
    expect(await serverState(app, 'running')).toMatchObject({ origin: `http://127.0.0.1:${port}` });
    await app.close();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      port,
      notifications: false,
      ofTomorrow: 1,
    });
    expect(JSON.parse(readFileSync(`${path}.damaged`, 'utf8')).shortcut).toBe('Foo+Bar');
  });
});

describe('the page', () => {
  test('is loaded anew when a person wants that, and its answers survive a way out that was refused', async () => {
    const app = await bench.launch();
    await setUpByClicking(app);
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

  test('with something under way asks before it goes, and both answers count', async () => {
    const app = await bench.launch();
    await setUpByClicking(app);
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

  test('has a menu for the mouse in its fields, and none elsewhere', async () => {
    const app = await bench.launch();
    await setUpByClicking(app);
    await app.page.getByRole('heading', { name: 'Overview' }).click({ button: 'right' });
    await app.page.getByRole('link', { name: 'Links', exact: true }).click();
    await app.page.getByPlaceholder('Search links').click({ button: 'right' });
    await app.waitFor('popped-up');
    const menus = app.told.flatMap((told) => (told.type === 'popped-up' ? [told.roles] : []));
    expect(menus).toEqual([['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']]);
  });
});

test('a window is shown once there is something to see, maximised or not', async () => {
  const path = join(bench.userData(), 'preferences.json');
  const window = { bounds: { x: 0, y: 0, width: 1000, height: 700 }, maximized: true };
  writeFileSync(path, JSON.stringify({ port: await freePort(), window }));
  const app = await bench.launch();
  expect((await app.waitFor('seen')).isDrawn).toBe(true);
  expect(existsSync((await app.waitFor('window')).icon ?? '')).toBe(true);
});

test('a program whose sandbox was switched off comes up all the same', async () => {
  const app = await bench.launch({ args: ['--no-sandbox'] });
  await serverState(app, 'running');
});

test('sources keep their own folder, and do not start at sign-in', async () => {
  const app = await bench.start({ isPackaged: false });
  expect((await app.waitFor('path')).path).toContain('Waypost Development');
  await app.waitFor('window');
});

describe('on macOS', () => {
  test('the address that the app was started with is offered', async () => {
    const app = await bench.launch({
      platform: 'darwin',
      startAddress: 'waypost://new?url=https%3A%2F%2Fexample.com%2Fat-the-start',
    });
    await setUpByClicking(app);
    await app.page.getByText('A link asks to shorten this URL.').first().waitFor();
  });

  test('a start at sign-in shows no window, nor does a look at the tray', async () => {
    const app = await bench.start({ platform: 'darwin', wasOpenedAtLogin: true });
    await app.waitFor('menu', ({ ids }) => ids.includes('tray-open'));
    app.order({ type: 'click-tray' });
    await app.waitFor('server');
    expect(app.told.filter(({ type }) => type === 'window' || type === 'seen')).toEqual([]);
    app.order({ type: 'activate' });
    await app.waitFor('window');
  });

  test('a start at sign-in that the system has to allow is said so, and refused notifications are logged', async () => {
    const app = await bench.launch({
      platform: 'darwin',
      loginItemStatus: 'requires-approval',
      refusesNotifications: true,
    });
    await setUpByClicking(app);
    await app.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await app.page.getByRole('link', { name: 'This app' }).click();
    await app.page.getByRole('switch', { name: 'Start when I sign in to this computer' }).click();
    await app.page.getByText('System Settings, General, Login Items').waitFor();
    process.kill(app.serverPid(), 'SIGKILL');
    await expect.poll(() => app.log()).toContain('the system showed no notification');
  });
});

describe('on Windows', () => {
  test('the app says who it is before it shows anything, and sits among the login items', async () => {
    const app = await bench.launch({ platform: 'win32' });
    expect(app.told.findIndex(({ type }) => type === 'identity')).toBeLessThan(
      app.told.findIndex(({ type }) => type === 'window'),
    );
    expect(await app.waitFor('identity')).toMatchObject({ name: 'app', id: 'app.waypost.desktop' });
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
  });

  test('the server is asked to end when the system does', async () => {
    const app = await bench.launch({ platform: 'win32' });
    await serverState(app, 'running');
    app.order({ type: 'system-ends' });
    const pid = app.serverPid();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe('keys for every program', () => {
  test('are not asked for where the system would ask the person, until somebody wants them', async () => {
    const app = await bench.launch({ env: { XDG_SESSION_TYPE: 'wayland' } });
    await setUpByClicking(app);
    expect(app.told.filter((told) => told.type === 'keys' && told.accelerator !== undefined)).toEqual([]);
  });

  test('that are none are refused, and never remembered', async () => {
    const app = await bench.launch();
    await setUpByClicking(app);
    const refused = app.page.evaluate(() =>
      (
        window as unknown as { desktop: { app: { update(change: unknown): Promise<unknown> } } }
      ).desktop.app.update({
        shortcut: 'Foo+Bar',
      }),
    );
    await expect(refused).rejects.toThrow('wrong arguments');
    const kept = JSON.parse(readFileSync(join(bench.userData(), 'preferences.json'), 'utf8'));
    expect(kept.shortcut).toBeUndefined();
  });
});

test('Ctrl+C, which reaches the server as well, ends both, and nothing is started again', async () => {
  const app = await bench.launch();
  await serverState(app, 'running');
  process.kill(app.serverPid(), 'SIGINT');
  process.kill(app.pid, 'SIGINT');
  expect(await app.exited).toBe(0);
  expect(app.told.filter(({ type }) => type === 'server')).toHaveLength(1);
  expect(app.log()).not.toContain('the server ended');
  expect(readdirSync(bench.userData())).toContain('logs');
});
