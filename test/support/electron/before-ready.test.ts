// The fake refuses what Electron refuses before it is ready: an app that starts too early on a permissive fake would
// exit on a real one before its first log line. Where Electron's documentation does not specify a call's behavior then,
// the strictest is assumed.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** By function: whether it requires the app to be ready. */
const calls: Record<string, string> = {
  BaseWindow: 'new electron.BaseWindow({ show: false })',
  BrowserWindow: 'new electron.BrowserWindow({ show: false })',
  Notification: "new electron.Notification({ title: 'a' })",
  Tray: "new electron.Tray('a.png')",
  'dialog.showMessageBox': "electron.dialog.showMessageBox({ message: 'a' })",
  'dialog.showSaveDialog': 'electron.dialog.showSaveDialog({}, {})',
  'globalShortcut.register': "electron.globalShortcut.register('Alt+A', () => {})",
  'globalShortcut.unregisterAll': 'electron.globalShortcut.unregisterAll()',
  'net.request': "electron.net.request({ url: 'http://127.0.0.1/' })",
  'protocol.handle': "electron.protocol.handle('app', () => new Response())",
  'safeStorage.decryptStringAsync': "electron.safeStorage.decryptStringAsync(Buffer.from('v10'))",
  'safeStorage.encryptStringAsync': "electron.safeStorage.encryptStringAsync('a')",
  'screen.getAllDisplays': 'electron.screen.getAllDisplays()',
  'session.defaultSession': 'electron.session.defaultSession',
  'utilityProcess.fork': "electron.utilityProcess.fork('a.js', [], { stdio: 'pipe' })",
};

/** What an app may, and must, do before it is ready. */
const early: Record<string, string> = {
  'app.enableSandbox': 'electron.app.enableSandbox()',
  'app.requestSingleInstanceLock': 'electron.app.requestSingleInstanceLock()',
  'dialog.showErrorBox': "electron.dialog.showErrorBox('a', 'b')",
  'protocol.registerSchemesAsPrivileged': 'electron.protocol.registerSchemesAsPrivileged([])',
};

let folder = '';
let said: Record<string, string> = {};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-before-ready-'));
  const entry = join(folder, 'entry.mjs');
  const lines = Object.entries({ ...calls, ...early }).map(
    ([name, call]) =>
      `try { await (${call}); said['${name}'] = 'done'; } catch (error) { said['${name}'] = error.message; }`,
  );
  writeFileSync(
    entry,
    // In Electron, an awaiting module delays `ready`; here each call finishes before anything else runs.
    `import * as electron from 'electron';\nconst said = {};\n${lines.join('\n')}\nconsole.log(JSON.stringify(said));\nprocess.exit();\n`,
  );
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', new URL('./register.ts', import.meta.url).href, entry],
    {
      env: {
        ...process.env,
        ELECTRON_STAND_IN: JSON.stringify({
          ...{ userData: folder, keyStore: 'open', isPackaged: true, platform: 'linux' },
        }),
      },
    },
  );
  said = JSON.parse(stdout);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.keys(calls))('%s is refused', (name) => {
  expect(said[name]).toMatch(/(before|after|when|until).* ready|before the app 'ready' event/);
});

test.each(Object.keys(early))('%s is accepted', (name) => expect(said[name]).toBe('done'));
