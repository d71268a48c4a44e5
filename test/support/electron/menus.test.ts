// The fake refuses the menus that Electron refuses, and treats no more of a command line as switches than Chromium.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-menus-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The result of an expression, or its error, in an app started with these arguments. */
async function evaluate(expressions: readonly string[], args: readonly string[] = []): Promise<unknown[]> {
  const entry = join(folder, 'entry.mjs');
  const tries = expressions.map(
    (text) => `(() => { try { return (${text}) ?? null; } catch (error) { return error.message; } })()`,
  );
  writeFileSync(
    entry,
    `import * as electron from 'electron';\nconsole.log(JSON.stringify([${tries.join(',\n')}]));\nprocess.exit();\n`,
  );
  const register = new URL('./register.ts', import.meta.url).href;
  const settings = { userData: folder, keyStore: 'open', isPackaged: true, platform: 'linux' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', register, entry, ...args], {
    env: { ...process.env, ELECTRON_STAND_IN: JSON.stringify(settings) },
  });
  return JSON.parse(stdout);
}

test('an item without text or of no kind is refused, at every depth, and so is a menu without a window', async () => {
  const menu = (template: string) => `void electron.Menu.buildFromTemplate(${template})`;
  const nothing = 'Invalid template for MenuItem: must have at least one of label, role or type';
  expect(
    await evaluate([
      menu('[{ id: "a", click() {} }]'),
      menu('[{ label: "a", submenu: [{ enabled: false }] }]'),
      menu('[{ label: "a", type: "list" }]'),
      menu('[{ label: "a", type: "submenu" }]'),
      menu('[{ label: "a" }, { type: "separator" }, { role: "copy" }]'),
      'electron.Menu.buildFromTemplate([{ role: "copy" }]).popup()',
    ]),
  ).toEqual([
    nothing,
    nothing,
    'Unknown menu item type: list',
    'Invalid submenu',
    null,
    'Cannot open Menu without a BaseWindow present',
  ]);
});

test('text after a bare `--` is not a switch', async () => {
  const has = (name: string) => `electron.app.commandLine.hasSwitch('${name}')`;
  const args = ['--no-sandbox', '--', '--user-data-dir=elsewhere'];
  expect(await evaluate([has('no-sandbox'), has('user-data-dir')], args)).toEqual([true, false]);
});
