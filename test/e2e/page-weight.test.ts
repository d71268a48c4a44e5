import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAdminPage } from '../support/admin-page.ts';
import { startApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

const built = join(import.meta.dirname, '../../out/renderer');
/** Of the scripts that a page waits for when nothing of it is in the browser yet, as they travel. Bytes. */
const most = { signIn: 220_000, list: 335_000 };

const sourceOf = (file: string) => readFileSync(join(built, file), 'utf8');
const bytesOf = (file: string) => readFileSync(join(built, `${file}.br`)).length;

/** The scripts that the page of the app names itself. */
function entries(): string[] {
  const tags = sourceOf('index.html').match(/<(?:script|link)\b[^>]*>/g) ?? [];
  return tags.flatMap((tag) => /(?:src|href)="\/admin\/([^"]+\.js)"/.exec(tag)?.[1] ?? []);
}

/** Scripts with everything that they import before they run. */
function withImports(files: string[], found = new Set<string>()): Set<string> {
  for (const file of files.filter((each) => !found.has(each))) {
    found.add(file);
    const imports = sourceOf(file).matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+\.js)["']/g);
    withImports(
      [...imports].map(([, name]) => `assets/${name}`),
      found,
    );
  }
  return found;
}

/** The file of a page that is loaded when it is opened. */
function pageFile(name: string): string {
  const [entry = ''] = entries().filter((file) => file.startsWith('assets/'));
  const file = new RegExp(`assets/${name}-[\\w-]+\\.js`).exec(sourceOf(entry))?.[0];
  if (file === undefined) throw new Error(`There is no file of ${name}.`);
  return file;
}

function weightOf(...pages: string[]): number {
  return [...withImports([...entries(), ...pages.map(pageFile)])].reduce(
    (sum, file) => sum + bytesOf(file),
    0,
  );
}

describe('the scripts that a first visit waits for', () => {
  test.each([
    ['to sign in', [], most.signIn],
    ['to see their links', ['AppFrame', 'LinksPage'], most.list],
  ])('%s are small', (_, pages, bound) => {
    const bytes = weightOf(...pages);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(bound);
  });

  test('contain no sentences of other pages', () => {
    const first = [...withImports(entries())].map(sourceOf).join();
    // One of the page itself, so that this would notice if they were written in another way.
    expect(first).toContain('Forgot your password?');
    expect(first).not.toContain('Your first short link is a paste away');
    expect(first).not.toContain('Scans well');
  });

  test.skipIf(!findChromium())('for signing in are all that a browser requests', async () => {
    await using stack = new AsyncDisposableStack();
    const server = stack.adopt(await startApp(), (each) => each.close());
    const browser = stack.adopt(await openBrowser(), (each) => each.close());
    const { page } = await openAdminPage(browser, server.origin);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname);
    });
    await page.goto(`${server.origin}/admin/`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    // Besides what the page imports, the library for passkeys, once it is known that they may be used.
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.reduce((sum, path) => sum + bytesOf(path.replace('/admin/', '')), 0)).toBeLessThan(
      most.signIn,
    );
  });
});
