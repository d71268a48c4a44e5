import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';
import { expect, inject } from 'vitest';

/** What of axe's rules is about colours; a theme has no say in the others. */
const colorRules = ['color-contrast', 'link-in-text-block'];

interface FaultOptions {
  /** Dark pages are looked at for their colours alone: whatever else they are, they are in light, too. */
  readonly theme?: 'light' | 'dark';
  /** A selector: looks at nothing else. */
  readonly within?: string;
  /** A selector: does not look there. */
  readonly except?: string;
  /** A rule of axe that the page breaks with reason. */
  readonly unless?: string;
}

/** What axe finds wrong with the page as it is, one line for each rule. */
export async function faultsOf(page: Page, options: FaultOptions = {}): Promise<string[]> {
  const { theme = 'light', within, except, unless } = options;
  // To put together what it finds in several frames, axe opens a page of its own, which costs more than all its rules.
  const hasFrames = page.frames().length > 1 && except !== 'iframe';
  // It is a megabyte and a half to compile, so a page that has it gets it no second time.
  const isThere = await page.evaluate(() => 'axe' in window);
  // Whatever passes is only counted: to describe thousands of elements takes longer than to look at them.
  const axe = new AxeBuilder({ page, ...(isThere && !hasFrames && { axeSource: 'void 0' }) })
    .setLegacyMode(!hasFrames)
    .options({ resultTypes: ['violations'], iframes: hasFrames });
  if (within) axe.include(within);
  if (except) axe.exclude(except);
  if (theme === 'dark') axe.withRules(colorRules);
  if (unless) axe.disableRules(unless);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

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
