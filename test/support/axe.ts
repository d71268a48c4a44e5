import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

/** What of axe's rules is about colors; a theme has no say in the others. */
const colorRules = ['color-contrast', 'link-in-text-block'];

export interface FaultOptions {
  /** Dark pages are looked at for their colors alone: whatever else they are, they are in light, too. */
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
