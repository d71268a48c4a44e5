import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { seed } from '../../server/operations/seed/seed.ts';
import { connect } from '../../server/platform/database/connect.ts';
import { launchOptions, provideChromium } from '../support/provision.ts';
import { firstAccount, type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';

const rounds = 5;
const many = 10_000;
const few = 100;
/** The maximum ratio of the page with many links to the page with few. */
const most = 1.3;
/** The maximum time until the page with many links is usable: reloaded, and gone to inside the app. Milliseconds. */
const longest = { loadMs: 800, insideMs: 100 };
/** How long somebody looks at another page before they go to the links. Milliseconds. */
const stayMs = 500;

interface Options {
  /** An empty folder for this run. */
  folder: string;
  print: (line: string) => void;
}

/**
 * Compares the links page with 10,000 rows to the same page with 100, each reloaded alternately in one browser, and
 * reached from another page of the app, for the first time and again. True if the median with many is at most 1.3 times
 * the one with few, at most 800 milliseconds, and at most 100 for each way inside the app. Also true, with a notice, if
 * there is no browser.
 */
export async function measureLinksPage({ folder, print }: Options): Promise<boolean> {
  if (!(await provideChromium())) return true;
  const servers = [await serverWith(join(folder, 'few'), few), await serverWith(join(folder, 'many'), many)];
  const browser = await chromium.launch(launchOptions());
  try {
    const [small, large] = servers as [SpawnedServer, SpawnedServer];
    const pages = { few: await openerOf(browser, small), many: await openerOf(browser, large) };
    // Once each without measuring, so that the browser has compiled and cached the scripts.
    await pages.few.open();
    await pages.many.open();
    const times: { few: number[]; many: number[] } = { few: [], many: [] };
    for (let round = 1; round <= rounds; round += 1) {
      times.few.push(await pages.few.open());
      times.many.push(await pages.many.open());
    }
    const inside: { first: number[]; again: number[] } = { first: [], again: [] };
    for (let round = 1; round <= rounds; round += 1) {
      inside.first.push(await pages.many.goTo(true));
      inside.again.push(await pages.many.goTo(false));
    }
    const [fewMs, manyMs] = [median(times.few), median(times.many)];
    const ratio = manyMs / fewMs;
    print(
      `links page: ${many} rows in ${describe(times.many)}, ${few} rows in ${describe(times.few)}, ratio ${ratio.toFixed(2)}, at most ${most} and ${longest.loadMs} ms`,
    );
    print(
      `links page: gone to inside the app in ${describe(inside.again)}, for the first time in ${describe(inside.first)}, both wanted in at most ${longest.insideMs} ms`,
    );
    const isSoonThere = [inside.first, inside.again].every((times) => median(times) <= longest.insideMs);
    return ratio <= most && manyMs <= longest.loadMs && isSoonThere;
  } finally {
    await browser.close();
    for (const server of servers) await server.stop();
  }
}

/** Starts a server with an account and the given number of links. */
async function serverWith(folder: string, links: number): Promise<SpawnedServer> {
  mkdirSync(folder, { recursive: true });
  const first = await spawnServer(folder);
  await setUpAccount(first);
  await first.stop();
  const file = join(folder, 'waypost.sqlite');
  const main = connect(file, 'FULL');
  const clicks = connect(file, 'NORMAL');
  try {
    seed({ main, clicks, userId: 1, now: Date.now(), links, clickCount: 0 });
  } finally {
    clicks.close();
    main.close();
  }
  return spawnServer(folder, ['--ratelimit', '100000']);
}

/**
 * Signs in and returns functions that reload the links page, and that go to it from another page by a click. Both
 * resolve to the milliseconds from the navigation until its first rows were drawn.
 */
async function openerOf(browser: Browser, { origin }: SpawnedServer) {
  const { username, password } = firstAccount;
  const reply = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: username, password }),
  });
  const { data } = (await reply.json()) as { data: { token: string } };
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript((token) => localStorage.setItem('waypost:local:token', token), data.token);
  await context.addInitScript(() => {
    /** The milliseconds from `since` until the first task after the frame in which the first rows are drawn. */
    const shown = (since: number) =>
      new Promise<number>((resolve) => {
        const watcher = new MutationObserver(() => {
          if (!document.querySelector('tbody tr[data-index] a[href]')) return;
          watcher.disconnect();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - since);
            port2.postMessage(undefined);
          });
        });
        watcher.observe(document, { childList: true, subtree: true });
      });
    const follow = (selector: string) => {
      const since = performance.now();
      document.querySelector<HTMLElement>(selector)?.click();
      return shown(since);
    };
    Object.assign(window, { opened: shown(0), follow });
  });
  const page = await context.newPage();
  return {
    async open(): Promise<number> {
      await page.goto('about:blank');
      await page.goto(`${origin}/admin/links`, { waitUntil: 'commit' });
      // A promise of the page's own: a wait of Playwright's would compile its scripts in the measured time.
      return page.evaluate(() => (window as unknown as { opened: Promise<number> }).opened);
    },
    async goTo(isFirst: boolean): Promise<number> {
      if (isFirst) await page.goto(`${origin}/admin/domains`);
      else await page.click('a[href="/admin/domains"]');
      await page.locator('tbody tr[data-index]').first().waitFor({ state: 'detached' });
      // The pointer is on the link before it is clicked, which loads the page's scripts.
      await page.hover('a[href="/admin/links"]');
      await page.waitForTimeout(stayMs);
      return page.evaluate(() =>
        (window as unknown as { follow(selector: string): Promise<number> }).follow('a[href="/admin/links"]'),
      );
    },
  };
}

function describe(times: readonly number[]): string {
  const all = times.map((time) => Math.round(time)).join(', ');
  return `${Math.round(median(times))} ms (${all})`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
