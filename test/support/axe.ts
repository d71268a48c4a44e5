import { AxeBuilder } from '@axe-core/playwright';
import axe from 'axe-core';
import type { Frame, Page } from 'playwright';

/** The axe rules about colors; a theme does not affect the others. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Loads axe where it is missing: the library combines the results of frames in a page of its own. */
const unlessThere = `if (!('axe' in window)) { ${axe.source} }`;

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
  await Promise.all((hasFrames ? page.frames() : [page.mainFrame()]).map(load));
  // Passing elements are only counted: describing thousands of them takes longer than checking them.
  const builder = new AxeBuilder({ page, axeSource: hasFrames ? unlessThere : 'void 0' })
    .setLegacyMode(!hasFrames)
    .options({ resultTypes: ['violations'], iframes: hasFrames });
  if (within) builder.include(within);
  if (except) builder.exclude(except);
  if (theme === 'dark') builder.withRules(colorRules);
  if (unless) builder.disableRules(unless);
  const { violations } = await builder.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/**
 * Loads axe into a frame, once: it is 1.5 MB to compile. The library gives each frame a second for it, after which it
 * reports no violation of that frame, as if there were none.
 */
async function load(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
}
