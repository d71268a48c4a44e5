// What the start of the desktop does when something of it fails, and with files that nobody can read.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../build/free-port.ts';
import type { Desktop } from '../../preload/contract.ts';
import { desktopBench, serverState, setUpByClicking } from '../support/desktop-flow.ts';
import { some } from '../support/trials.ts';

const bench = desktopBench();

describe('a start that fails', () => {
  test.each(some(['BrowserWindow', 'session.setDevicePermissionHandler'], { from: 0, short: 1 }))(
    'is reported, logged and ended when %s fails',
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

const dispensable = [
  [['Tray', 'globalShortcut.register', 'Menu.setApplicationMenu']],
  [['pictures']],
  [['nativeImage.createFromPath']],
];
test.each(some(dispensable, { from: 0, short: 1 }))(
  'the app starts without %j, and logs it',
  { tags: 'long' },
  async (failing) => {
    const app = await bench.launch({ failing });
    await serverState(app, 'running');
    for (const name of failing) expect(app.log()).toContain(name);
    // Keys that the system cannot take are refused in words, and never remembered.
    if (failing.includes('globalShortcut.register')) {
      const change = app.page.evaluate(() =>
        (window as unknown as { desktop: Desktop }).desktop.app.update({ shortcut: 'Alt+Shift+K' }),
      );
      await expect(change).rejects.toThrow('The system does not support these keys. Choose others.');
      const kept = JSON.parse(readFileSync(join(bench.userData(), 'preferences.json'), 'utf8'));
      expect(kept).not.toHaveProperty('shortcut');
    }
    expect(app.told.filter(({ type }) => type === 'error-box' || type === 'unhandled')).toEqual([]);
  },
);

test('a page that cannot load is reported in a dialog if it has no window yet, and loads on retry', {
  tags: 'long',
}, async () => {
  const app = await bench.launch({ deadPages: 2 });
  const { detail } = await app.waitFor('asked', ({ message }) => message === 'The window stopped working');
  expect(detail).toContain('See the log file');
  await serverState(app, 'running');
  await app.page.getByRole('button', { name: 'Create account' }).waitFor();
  expect(app.told.filter(({ type }) => type === 'asked')).toHaveLength(1);
  expect(app.log().match(/the page crashed/g)).toHaveLength(2);
});

test('a server that cannot be started is shown as stopped, in a window', async () => {
  const app = await bench.launch({ failing: ['utilityProcess.fork'] });
  expect(await serverState(app, 'stopped')).toMatchObject({
    message: expect.stringContaining('could not be started'),
  });
});

describe('unreadable files', () => {
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
    ['is far too large', (path) => writeFileSync(path, `"${'x'.repeat(10_000_000)}"`)],
    ['is null', (path) => writeFileSync(path, 'null')],
    ['is of any bytes', (path) => writeFileSync(path, randomBytes(3_000))],
  ];

  const files = ['preferences.json', 'instances.json', 'keys.json'];
  // All ways in four starts, the first of them alone in `npm test`: what is done with one of the files is done with
  // all.
  const starts = some([0, 3, 6, 7], { from: 0, short: 1 }).map((first) =>
    files.map((file, index) => {
      const [how, damage] = damages[(first + index) % damages.length] ?? ['', () => {}];
      return { file, how: `${file} ${how}`, damage };
    }),
  );

  test.each(starts.map((damaged) => [damaged.map(({ how }) => how).join(', '), damaged] as const))(
    'the app starts when %s, puts them aside and says so once',
    { tags: 'long' },
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

  const isTold = ({ message }: { message: string }) => message === 'Some settings could not be read';

  test('are reported by the first window that somebody sees, not by one closed before', {
    tags: 'long',
  }, async () => {
    writeFileSync(join(bench.userData(), 'instances.json'), '{');
    const app = await bench.start({ undrawnWindows: 1 });
    await app.waitFor('opening');
    app.order({ type: 'answer', button: 1 });
    app.order({ type: 'close-window' });
    await app.waitFor('asked', ({ message }) => message.startsWith('Keep Waypost running'));
    // Nobody has seen a window so far, nor a word in front of one.
    expect(
      app.told.filter((told) => told.type === 'seen' || (told.type === 'asked' && isTold(told))),
    ).toEqual([]);
    app.order({ type: 'click-menu', id: 'tray-open' });
    const { detail } = await app.waitFor('asked', isTold);
    expect(detail).toContain('instances.json');
  });

  test('from a start without a window are reported by the next start, and by no later one', {
    tags: 'long',
  }, async () => {
    writeFileSync(join(bench.userData(), 'instances.json'), '{');
    const hidden = await bench.start({ args: ['--hidden'] });
    await hidden.waitFor('menu', ({ ids }) => ids.includes('tray-open'));
    await hidden.kill();
    const app = await bench.launch();
    const { detail } = await app.waitFor('asked', isTold);
    expect(detail).toContain('instances.json');
    await app.close();
    const again = await bench.launch();
    await serverState(again, 'running');
    expect(again.told.filter(({ type }) => type === 'asked')).toEqual([]);
  });

  test('the app starts, reports and exits when a pipe, a file and a link are in place of its files', {
    tags: 'long',
  }, async () => {
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
    expect(app.log()).toContain('the app exits');
    // What was set up is there again, the sign-in included, also where the list of instances is lost beside the keys.
    rmSync(at('instances.json'));
    const again = await bench.launch();
    await again.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('an invalid setting or key affects no other, and those of newer versions are kept', {
    tags: 'long',
  }, async () => {
    const port = await freePort();
    const path = join(bench.userData(), 'preferences.json');
    writeFileSync(path, JSON.stringify({ port, shortcut: 'Foo+Bar', notifications: false, ofTomorrow: 1 }));
    const keys = join(bench.userData(), 'keys.json');
    // The first could not be sent.
    writeFileSync(
      keys,
      JSON.stringify({ 'https://a.example': { plain: 'a\nb' }, 'https://b.example': { plain: 'kept' } }),
    );
    const app = await bench.launch();
    await app.waitFor('asked', ({ detail }) => detail.includes('keys.json could not be understood in parts'));
    expect(await serverState(app, 'running')).toMatchObject({ origin: `http://127.0.0.1:${port}` });
    await setUpByClicking(app);
    await app.close();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      port,
      notifications: false,
      ofTomorrow: 1,
    });
    expect(JSON.parse(readFileSync(`${path}.damaged`, 'utf8')).shortcut).toBe('Foo+Bar');
    const kept = JSON.parse(readFileSync(keys, 'utf8'));
    expect(kept).toHaveProperty(['https://b.example']);
    expect(kept).not.toHaveProperty(['https://a.example']);
  });
});
