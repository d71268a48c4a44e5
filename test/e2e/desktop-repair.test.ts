import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../build/free-port.ts';
import type { Desktop } from '../../preload/contract.ts';
import { ask, desktopBench, isAlive, serverState, sharedDesktop } from '../support/desktop-flow.ts';
import { startDesktop } from '../support/electron.ts';
import { findChromium } from '../support/provision.ts';

describe.skipIf(!findChromium())('a running app', () => {
  const shared = sharedDesktop();

  test('a second start brings the first window to the front and exits', async () => {
    const first = shared.app();
    const second = await startDesktop({ userData: shared.userData() });
    expect(await second.exited).toBe(0);
    await first.waitFor('focused');
    // It went without a window and without a server.
    expect(second.told).toEqual([{ type: 'quitting' }]);
    expect(first.told.filter(({ type }) => type === 'server')).toHaveLength(1);
  });

  test('a killed server is back within moments, with everything that was acknowledged', async () => {
    const app = shared.app();
    const { body } = await ask(app, {
      method: 'POST',
      path: '/api/url/add',
      body: { url: 'https://example.com' },
    });
    const { origin } = (await serverState(app, 'running')) as { origin: string };
    const pid = app.serverPid();

    const restarting = serverState(app, 'restarting');
    process.kill(pid, 'SIGKILL');
    const killedAt = performance.now();
    expect(await restarting).toEqual({ state: 'restarting', attempt: 1 });
    // Asked while the server is away, this waits until it is there.
    expect(await ask(app, { method: 'GET', path: '/api/account' })).toMatchObject({ status: 200 });
    expect(await serverState(app, 'running')).toEqual({ state: 'running', origin });
    expect(performance.now() - killedAt).toBeLessThan(15_000);

    expect(app.serverPid()).not.toBe(pid);
    const short = (body as { shorturl: string }).shorturl;
    expect((await fetch(short, { redirect: 'manual' })).status).toBe(302);
    const again = await ask(app, { method: 'GET', path: '/api/urls' });
    expect(again.body).toMatchObject({ data: { result: 1 } });
    expect(app.log()).toContain('the server ended');
  });

  test('a manual restart is not delayed by the page listening to the live stream', {
    tags: 'long',
  }, async () => {
    const app = shared.app();
    const pid = app.serverPid();
    await app.page.evaluate(() => (window as unknown as { desktop: Desktop }).desktop.server.restart());
    await serverState(app, 'running');
    expect(app.serverPid()).not.toBe(pid);
    expect(app.log()).not.toContain('did not stop in time');
  });
});

describe('a start', () => {
  const bench = desktopBench();

  test('if no port from the preferred one up is available, any other is used', { tags: 'long' }, async () => {
    const stranger = createServer();
    // The last that there is.
    stranger.listen(65_535, '127.0.0.1');
    await once(stranger, 'listening');
    const app = await bench.launchSetUp({ port: 65_535 });
    expect(await serverState(app, 'running')).toMatchObject({ portTaken: 65_535 });
    const { body } = await ask(app, {
      method: 'POST',
      path: '/api/url/add',
      body: { url: 'https://example.com/moved' },
    });
    const followed = await fetch((body as { shorturl: string }).shorturl, { redirect: 'manual' });
    expect(followed.headers.get('location')).toBe('https://example.com/moved');
    stranger.close();
  });

  test('a stranger on the port gets nothing: the server moves, stays there, and the page is told', async () => {
    const port = await freePort();
    const seen: string[] = [];
    const stranger = createServer((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`);
      response.end('{"error":0}');
    });
    stranger.listen(port, '127.0.0.1');
    await once(stranger, 'listening');

    const app = await bench.launchSetUp({ port });
    const state = await serverState(app, 'running');
    expect(state).toMatchObject({ state: 'running', portTaken: port });
    const { origin } = state as { origin: string };
    await app.close();
    stranger.close();
    await once(stranger, 'close');
    expect(seen).toEqual([]);

    const saved = JSON.parse(readFileSync(join(bench.userData(), 'preferences.json'), 'utf8'));
    expect(`http://127.0.0.1:${saved.port}`).toBe(origin);
    const next = await bench.launch();
    expect(await serverState(next, 'running')).toEqual({ state: 'running', origin });
    // The key came along although the address did not stay.
    await next.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('a killed app leaves no server behind, and starts again', { tags: 'long' }, async () => {
    const app = await bench.launchSetUp();
    const pid = app.serverPid();
    await app.kill();
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
    const next = await bench.launch();
    await next.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('closing the window quits; a database damaged by then is reported, and nothing is overwritten', {
    tags: 'long',
  }, async () => {
    const app = await bench.launch();
    await serverState(app, 'running');
    app.order({ type: 'close-window' });
    expect(await app.exited).toBe(0);
    // The next window is as large.
    const { window } = JSON.parse(readFileSync(join(bench.userData(), 'preferences.json'), 'utf8'));
    expect(window).toMatchObject({ bounds: { width: 1280, height: 820 }, maximized: false });
    const data = join(bench.userData(), 'data');
    const database = readdirSync(data).find(
      (name) => /\.(db|sqlite3?)$/.test(name) && !/lock/.test(name),
    ) as string;
    writeFileSync(join(data, database), 'this is no database at all, and was never one; '.repeat(200));

    const next = await bench.launch();
    const state = await serverState(next, 'stopped');
    expect(state).toMatchObject({ state: 'stopped', logFile: join(bench.userData(), 'logs', 'waypost.log') });
    await next.page.getByRole('button', { name: /log/i }).click();
    expect(await next.waitFor('shown-file')).toMatchObject({
      path: join(bench.userData(), 'logs', 'waypost.log'),
    });
    expect(readFileSync(join(data, database), 'utf8')).toContain('was never one');
  });
});
