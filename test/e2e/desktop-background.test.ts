import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, desktopBench, serverState, sharedDesktop } from '../support/desktop-flow.ts';
import { startDesktop } from '../support/electron.ts';
import { findChromium } from '../support/provision.ts';

describe.skipIf(!findChromium())('a running app', () => {
  const shared = sharedDesktop();

  test('shortens the clipboard with a global shortcut, and the tray lists the link', async () => {
    const app = shared.app();
    await app.waitFor('keys', ({ accelerator }) => accelerator === 'CommandOrControl+Shift+L');
    await app.waitFor('scheme', ({ scheme }) => scheme === 'waypost');
    app.order({ type: 'copy', text: 'https://example.com/copied/in/another/program' });
    app.order({ type: 'press-keys' });
    const { text: short } = await app.waitFor('copied');
    await app.waitFor('notified', ({ title }) => title === 'Short link copied');
    const followed = await fetch(short, { redirect: 'manual' });
    expect(followed.headers.get('location')).toBe('https://example.com/copied/in/another/program');

    await app.waitFor('menu', ({ ids }) => ids.includes('tray-recent-0'));
    app.order({ type: 'copy', text: 'something else' });
    app.order({ type: 'click-menu', id: 'tray-recent-0' });
    await expect.poll(() => app.told.filter(({ type }) => type === 'copied')).toHaveLength(2);
    expect(app.told.findLast(({ type }) => type === 'copied')).toEqual({ type: 'copied', text: short });
  });

  test('a waypost: link only asks, and the user decides', async () => {
    const app = shared.app();
    const before = app.told.filter(({ type }) => type === 'copied').length;
    // Linux and Windows start the app a second time for it.
    const second = await startDesktop({
      userData: shared.userData(),
      args: ['waypost://new?url=https%3A%2F%2Fexample.com%2Ffrom-a-page'],
    });
    expect(await second.exited).toBe(0);
    await app.page.getByText('A link asks to shorten this URL.').first().waitFor();
    const asked = async () => {
      const { body } = await ask(app, { method: 'GET', path: '/api/urls' });
      return (body as { data: { urls: { longurl: string }[] } }).data.urls.map(({ longurl }) => longurl);
    };
    expect(await asked()).not.toContain('https://example.com/from-a-page');
    await app.page.getByRole('button', { name: 'Shorten and copy' }).click();
    await expect.poll(asked).toContain('https://example.com/from-a-page');
    await expect.poll(() => app.told.filter(({ type }) => type === 'copied')).toHaveLength(before + 1);
  });

  test('the settings of this app take effect immediately and persist', async () => {
    const app = shared.app();
    const { page } = app;
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'This app' }).click();
    await page.getByRole('switch', { name: 'Start when I sign in to this computer' }).click();
    const autostart = join(shared.userData(), 'stand-in-app-data', 'autostart', 'waypost.desktop');
    await expect.poll(() => existsSync(autostart)).toBe(true);
    expect(readFileSync(autostart, 'utf8')).toContain('--hidden');

    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.keyboard.press('Control+Alt+K');
    await app.waitFor('keys', ({ accelerator }) => accelerator === 'CommandOrControl+Alt+K');
    await page.getByRole('button', { name: 'Remove the keys' }).click();
    await page.getByText('No keys').waitFor();
    const saved = () => JSON.parse(readFileSync(join(shared.userData(), 'preferences.json'), 'utf8'));
    await expect.poll(() => saved().shortcut).toBe(null);
    await page.getByRole('switch', { name: 'Start when I sign in to this computer' }).click();
    await expect.poll(() => existsSync(autostart)).toBe(false);
  });

  test('a server crash is also announced by the system', async () => {
    const app = shared.app();
    process.kill(app.serverPid(), 'SIGKILL');
    await app.waitFor('notified', ({ title }) => title === 'The server stopped unexpectedly');
    await expect.poll(() => app.log()).toMatch(/"a process of the app ended",.*"killed".*"Waypost server"/);
    await serverState(app, 'running');
  });

  test('a server that V8 aborts restarts, and the log says where it failed', { tags: 'long' }, async () => {
    const app = shared.app();
    const before = app.serverPid();
    app.order({ type: 'server-fails' });
    await expect.poll(() => app.log()).toMatch(/"the server failed","type":"FatalError","location":"v8::/);
    await app.waitFor('server', ({ pid }) => pid !== before && pid === app.serverPid());
    await expect.poll(async () => (await serverState(app, 'running')).state).toBe('running');
    await expect
      .poll(() => ask(app, { method: 'GET', path: '/api/urls' }).catch(String))
      .toMatchObject({ status: 200 });
    expect(app.told.filter(({ type }) => type === 'uncaught' || type === 'unhandled')).toEqual([]);
  });

  test('closing the window asks once; kept running, links keep working', async () => {
    const app = shared.app();
    const { origin } = (await serverState(app, 'running')) as { origin: string };
    app.order({ type: 'answer', button: 1 });
    app.order({ type: 'close-window' });
    await app.waitFor('asked', ({ message }) => message.startsWith('Keep Waypost running'));
    await expect
      .poll(() => JSON.parse(readFileSync(join(shared.userData(), 'preferences.json'), 'utf8')).background)
      .toBe(true);
    expect((await fetch(`${origin}/api/health`)).status).toBe(200);
    app.order({ type: 'click-menu', id: 'tray-quit' });
    expect(await app.exited).toBe(0);
  });
});

describe('another app', () => {
  const bench = desktopBench();

  test('a clipboard that another program keeps open is reported, and the link is not lost', {
    tags: 'long',
  }, async () => {
    const app = await bench.launchSetUp({ failing: ['clipboard.writeText', 'clipboard.write'] });
    app.order({ type: 'copy', text: 'https://example.com/copied' });
    app.order({ type: 'press-keys' });
    const { title, body: short } = await app.waitFor('notified');
    expect(title).toBe('The link is made, but could not be copied');
    expect((await fetch(short, { redirect: 'manual' })).headers.get('location')).toBe(
      'https://example.com/copied',
    );
    await app.waitFor('menu', ({ ids }) => ids.includes('tray-recent-0'));
    app.order({ type: 'click-menu', id: 'tray-recent-0' });
    await app.waitFor('notified', (told) => told.title === 'The address could not be copied');

    const body = { type: 'link', name: 'Table', data: { url: 'https://example.com' }, dynamic: true };
    expect(await ask(app, { method: 'POST', path: '/api/qr/add', body })).toMatchObject({
      body: { error: 0 },
    });
    await app.page.getByRole('link', { name: 'QR codes', exact: true }).click();
    const row = app.page.getByRole('row').filter({ hasText: 'Table' });
    await row.hover();
    await row.getByRole('button', { name: 'Download…' }).click();
    await app.page.getByRole('button', { name: 'Copy picture' }).click();
    await app.page.getByText('Couldn’t copy the picture. Download the PNG instead.').first().waitFor();
    const path = join(bench.userData(), 'saved.png');
    app.order({ type: 'save-at', path });
    await app.page.getByRole('button', { name: 'PNG', exact: true }).click();
    await expect.poll(() => existsSync(path) && readFileSync(path).toString('latin1', 1, 4)).toBe('PNG');
    expect(app.told.filter(({ type }) => type === 'unhandled')).toEqual([]);
  });

  test('without notifications, messages are in the tray menu, and the link is still copied', {
    tags: 'long',
  }, async () => {
    const app = await bench.launchSetUp({ hasNoNotifications: true });
    app.order({ type: 'copy', text: 'https://example.com/unseen' });
    app.order({ type: 'press-keys' });
    const { text: short } = await app.waitFor('copied');
    expect((await fetch(short, { redirect: 'manual' })).headers.get('location')).toBe(
      'https://example.com/unseen',
    );
    await app.waitFor('menu', ({ ids }) => ids[0] === 'tray-missed');
    // Lines are written to the file a moment after they are logged.
    await expect.poll(() => app.log()).toContain('the system shows no notifications');
    // Read, it is gone from there.
    const before = app.told.length;
    app.order({ type: 'click-menu', id: 'tray-missed' });
    await expect
      .poll(() => app.told.slice(before).findLast(({ type }) => type === 'menu'))
      .toMatchObject({ ids: expect.not.arrayContaining(['tray-missed']) });
  });

  test('settings that cannot be stored are reported and do not apply, now or at the next start', {
    tags: 'long',
  }, async () => {
    const app = await bench.launchSetUp();
    await app.waitFor('keys', ({ accelerator }) => accelerator === 'CommandOrControl+Shift+L');
    // A folder in the place of the file: nobody can write it, whoever they are.
    const path = join(bench.userData(), 'preferences.json');
    rmSync(path);
    mkdirSync(path);
    await app.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await app.page.getByRole('link', { name: 'This app' }).click();
    await app.page.getByRole('button', { name: 'Change', exact: true }).click();
    await app.page.keyboard.press('Control+Alt+K');
    await app.page
      .getByText(/preferences\.json cannot be written/)
      .first()
      .waitFor();
    const keys = () => app.told.flatMap((told) => (told.type === 'keys' ? [told.accelerator] : []));
    await expect
      .poll(() => keys().slice(-3))
      .toEqual(['CommandOrControl+Alt+K', undefined, 'CommandOrControl+Shift+L']);
    await app.close();
    const again = await bench.launch();
    await again.waitFor('keys', ({ accelerator }) => accelerator === 'CommandOrControl+Shift+L');
  });

  test('an AppImage that was moved still starts at sign-in, without a window, until that is turned off', {
    tags: 'long',
  }, async () => {
    const autostart = join(bench.userData(), 'stand-in-app-data', 'autostart', 'waypost.desktop');
    // The program of the stand-in is Node, which counts as mounted out of the image.
    const startFrom = (image: string) => ({ env: { APPIMAGE: image, APPDIR: dirname(process.execPath) } });
    const app = await bench.launchSetUp(startFrom('/home/me/My downloads/Waypost 100%.AppImage'));
    await app.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await app.page.getByRole('link', { name: 'This app' }).click();
    const wanted = app.page.getByRole('switch', { name: 'Start when I sign in to this computer' });
    await wanted.click();
    await expect.poll(() => existsSync(autostart)).toBe(true);
    expect(readFileSync(autostart, 'utf8')).toContain(
      '"/home/me/My downloads/Waypost 100%%.AppImage" --hidden',
    );
    await app.close();

    const moved = await bench.launch(startFrom('/home/me/Apps/Waypost.AppImage'));
    await expect
      .poll(() => readFileSync(autostart, 'utf8'))
      .toContain('Exec="/home/me/Apps/Waypost.AppImage" --hidden\n');
    // The session may bring the app back before its start at sign-in comes.
    const again = await bench.start({ args: ['--hidden'] });
    expect(await again.exited).toBe(0);
    const asked = await bench.start({
      args: ['--hidden', 'waypost://new?url=https%3A%2F%2Fexample.com%2Foffered'],
    });
    expect(await asked.exited).toBe(0);
    await moved.page.getByText('A link asks to shorten this URL.').first().waitFor();
    expect(moved.told.filter(({ type }) => type === 'focused')).toHaveLength(1);
    // As the desktop's own settings do it.
    writeFileSync(autostart, readFileSync(autostart, 'utf8').replace('enabled=true', 'enabled=false'));
    await moved.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await moved.page.getByRole('link', { name: 'This app' }).click();
    await expect
      .poll(() =>
        moved.page.getByRole('switch', { name: 'Start when I sign in' }).getAttribute('aria-checked'),
      )
      .toBe('false');
    await moved.close();

    const atSignIn = await bench.start({ args: ['--hidden'] });
    await atSignIn.waitFor('server');
    await atSignIn.waitFor('menu', ({ ids }) => ids.includes('tray-open'));
    expect(atSignIn.told.filter(({ type }) => type === 'window' || type === 'seen')).toEqual([]);
    expect(readFileSync(autostart, 'utf8')).toContain('enabled=false');
    atSignIn.order({ type: 'click-menu', id: 'tray-open' });
    await atSignIn.waitFor('window');
  });
});
