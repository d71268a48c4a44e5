import type { Page } from 'playwright';
import { expect, inject } from 'vitest';
import { type FaultOptions, faultsOf } from './axe.ts';

interface LookOptions extends Omit<FaultOptions, 'theme'> {
  /** Checks both themes; always so in `npm run test:faults`. */
  readonly inBothThemes?: boolean;
}

/** The number of checks per test file. */
const looks = new Map<string, number>();
/** A check costs as much as loading a page. */
const shortLooks = 1;

/**
 * Fails if axe finds a violation: in `npm test` at the first check of each file, in the light theme; in `npm run
 * test:faults` at every check, in both themes.
 */
export async function expectAccessible(page: Page, options: LookOptions = {}): Promise<void> {
  const { inBothThemes = inject('isLong'), ...others } = options;
  const { testPath = '' } = expect.getState();
  const count = looks.get(testPath) ?? 0;
  looks.set(testPath, count + 1);
  if (!inject('isLong') && count >= shortLooks) return;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await faultsOf(page, others)).toEqual([]);
  if (!inBothThemes) return;
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await faultsOf(page, { ...others, theme: 'dark' })).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}
