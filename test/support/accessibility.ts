import type { Page } from 'playwright';
import { expect, inject } from 'vitest';
import { type FaultOptions, faultsOf } from './axe.ts';

interface LookOptions extends Omit<FaultOptions, 'theme'> {
  /** In both themes; in `npm run test:faults` in any case. */
  readonly inBothThemes?: boolean;
}

/** How often each file of tests has looked. */
const looks = new Map<string, number>();
/** A look costs as much as loading a page. */
const shortLooks = 1;

/**
 * Fails unless axe finds nothing wrong with the page: in `npm test` at the first look of each file, in light; in
 * `npm run test:faults` at every look, in either theme.
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
