import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright';
import { launchOptions } from '../provision.ts';
import { ownFolder } from './settings.ts';
import { tell } from './test-channel.ts';

/** Inside userData, so that a page's storage persists across starts, as in Electron. */
const profile = join(ownFolder, 'stand-in-chromium');

let context: BrowserContext | undefined;

/** Starts Chromium, with a DevTools port besides Playwright's connection, so that the test can find the same page. */
export async function openBrowser(): Promise<void> {
  const { args = [], ...options } = launchOptions();
  context = await chromium.launchPersistentContext(profile, {
    ...options,
    // Otherwise Playwright would kill this process before the app is notified.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    args: [...args, '--remote-debugging-port=0'],
    viewport: { width: 1280, height: 820 },
  });
  tell({ type: 'browser', endpoint: endpoint() });
}

/** The running Chromium. Throws before the app is ready, as creating a window does in Electron. */
export function browser(): BrowserContext {
  if (!context) throw new Error('Cannot create BrowserWindow before app is ready');
  return context;
}

/** The address for another Playwright to connect to this Chromium. */
export function endpoint(): string {
  const file = join(profile, 'DevToolsActivePort');
  if (!existsSync(file)) throw new Error('Chromium has opened no DevTools port.');
  return `http://127.0.0.1:${readFileSync(file, 'utf8').split('\n')[0]}`;
}

export async function closeBrowser(): Promise<void> {
  const closing = context;
  context = undefined;
  await closing?.close();
}
