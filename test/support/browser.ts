import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright';
import { launchOptions } from './provision.ts';

/** The browser interface for a file's tests. */
export interface TestBrowser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Those of this file that are open. */
  contexts(): readonly BrowserContext[];
  /** Closes every context of this file. */
  close(): Promise<void>;
}

let running: Promise<Browser> | undefined;

/**
 * A browser for a file's tests. All files of this process share one Chromium, which takes a CPU second to start; what a
 * page leaves behind belongs to its context, and is removed with it.
 */
export async function openBrowser(): Promise<TestBrowser> {
  if (running && !(await running).isConnected()) running = undefined;
  running ??= chromium.launch(launchOptions());
  const browser = await running;
  const contexts = new Set<BrowserContext>();
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      contexts.add(context);
      context.once('close', () => contexts.delete(context));
      return context;
    },
    contexts: () => [...contexts],
    async close() {
      await Promise.all([...contexts].map((context) => context.close()));
    },
  };
}
