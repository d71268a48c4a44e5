import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

/** The axe rules about colors; a theme does not affect the others. */
const colorRules = ['color-contrast', 'link-in-text-block'];

export interface FaultOptions {
  /** Dark pages are only checked for colors: everything else is the same in light. */
  readonly theme?: 'light' | 'dark';
  /** A selector: checks nothing else. */
  readonly within?: string;
  /** A selector: skips this part. */
  readonly except?: string;
  /** An axe rule that the page intentionally violates. */
  readonly unless?: string;
}

/** axe's violations on the current page, one line for each rule. */
export async function faultsOf(page: Page, options: FaultOptions = {}): Promise<string[]> {
  const { theme = 'light', within, except, unless } = options;
  // To combine results from several frames, axe opens another page, which costs more than all its rules.
  const hasFrames = page.frames().length > 1 && except !== 'iframe';
  // axe is 1.5 MB to compile, so it is injected only once per page.
  const isThere = await page.evaluate(() => 'axe' in window);
  // Passing elements are only counted: describing thousands of them takes longer than checking them.
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
