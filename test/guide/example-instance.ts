import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { ensureBuilt } from '../../build/freshness.ts';
import { launchOptions, provideChromium } from '../support/provision.ts';
import { spawnServer } from '../support/spawned-server.ts';
import { exampleContent } from './example-content.ts';

/** The built server with example data, and a browser in which somebody is signed in. */
export interface ExampleInstance {
  origin: string;
  /** The code of an invitation into a team. */
  invitation: string;
  /** The id of that team. */
  team: string;
  /** Of the session of whoever is signed in. */
  token: string;
  /** The path of a public statistics page. */
  statistics: string;
  /** The same of one that asks for a password. */
  locked: string;
  /** The id of a link with saved cases. */
  tested: string;
  /** A page of a new window; close its context when done. */
  open(options: BrowserContextOptions): Promise<Page>;
}

/**
 * Builds if need be, starts server and browser, calls `use`, and takes everything away again. Throws where it cannot.
 */
export async function withExampleInstance(use: (instance: ExampleInstance) => Promise<void>): Promise<void> {
  if ((await ensureBuilt()) !== 0) throw new Error('Waypost could not be built.');
  if ((await provideChromium()) === undefined) throw new Error('There is no browser to take pictures with.');
  const data = mkdtempSync(join(tmpdir(), 'waypost-example-'));
  try {
    const password = await seedExample(data);
    addDomain(data);
    const server = await spawnServer(data);
    try {
      const { token, ...content } = await exampleContent(server.origin, { username: 'dana', password });
      const browser = await chromium.launch(launchOptions());
      try {
        await use({
          origin: server.origin,
          token,
          ...content,
          open: (options) => openSignedIn(browser, server.origin, token, options),
        });
      } finally {
        await browser.close();
      }
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Waits until figures and pictures of the page have come. Its live stream never ends, so the network is never idle. */
export async function settled(page: Page, milliseconds = 1200): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(milliseconds);
}

async function openSignedIn(
  browser: Browser,
  origin: string,
  token: string,
  options: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    // axe adds a script of its own, which the policy would forbid.
    bypassCSP: true,
    ...options,
  });
  const page = await context.newPage();
  // Only a page of the instance can reach its storage; this one has no scripts.
  await page.goto(`${origin}/admin/icon.svg`);
  await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
  return page;
}

/** Fills the data folder with the example and returns the password that it was given. */
async function seedExample(data: string): Promise<string> {
  const program = join(import.meta.dirname, '../../out/main/server.js');
  const child = spawn(process.execPath, [program, 'seed', '--data', data]);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const [, password] = /password (\S+)/.exec(said) ?? [];
  if (code !== 0 || password === undefined) throw new Error(`the example was not made: ${said}`);
  return password;
}

/** Written into the database: the interface takes no domain that does not lead here, and this one leads nowhere. */
function addDomain(data: string): void {
  const database = new Database(join(data, 'waypost.sqlite'));
  database
    .prepare('INSERT INTO domains (user_id, host, active, created_at) VALUES (1, ?, 1, ?)')
    .run('go.northwind-coffee.example', Date.now());
  database.close();
}
