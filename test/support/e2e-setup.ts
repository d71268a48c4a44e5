import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { removeFolder } from '../../build/scratch.ts';
import { setup as build } from './build-setup.ts';
import { provideChromium } from './provision.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the first test that needs a set-up desktop app stores one for the others. */
    desktopTemplate: string;
  }
}

/** Provides the bundles and a browser; without a browser, tests that need one skip with the reason. */
export async function setup(project: TestProject): Promise<() => void> {
  await build();
  await provideChromium();
  const folder = mkdtempSync(join(process.env.WAYPOST_TEST_FOLDER ?? tmpdir(), 'waypost-template-'));
  project.provide('desktopTemplate', folder);
  return () => removeFolder(folder);
}
