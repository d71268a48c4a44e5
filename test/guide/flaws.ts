import type { Page } from 'playwright';

/**
 * What of the page's layout is broken, each as a short text: the page is wider than the window, something sticks out of
 * it, words are cut off without a sign of it, or where they begin, because they run the other way than the page or than
 * the sentence around them, a URL has its slashes at the wrong end, or a control lies below another one. Empty when all is
 * well.
 */
export function findFlaws(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const flaws: string[] = [];
    const { innerWidth } = window;
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()} “${(element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 50)}”`;
    /** Whether something around it can be scrolled, or ends its words with an ellipsis. */
    const isKept = (element: Element) => {
      for (let one: Element | null = element; one; one = one.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(one);
        if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis') return true;
      }
      return false;
    };
    const isHidden = (element: Element) =>
      element.closest('[aria-hidden="true"], .sr-only, [inert], script, style, svg') !== null ||
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const wide = document.scrollingElement?.scrollWidth ?? 0;
    if (wide > innerWidth + 1) flaws.push(`the page is ${wide} pixels wide in a window of ${innerWidth}`);
    for (const element of document.querySelectorAll('body *')) {
      const hasWords = [...element.childNodes].some(
        (node) => node.nodeType === 3 && node.textContent?.trim(),
      );
      if (!hasWords || isHidden(element)) continue;
      const box = element.getBoundingClientRect();
      // What is for screen readers alone is a pixel in size.
      if (box.width < 2 || box.height < 2) continue;
      const style = getComputedStyle(element);
      if ((box.right > innerWidth + 1 || box.left < -1) && !isKept(element))
        flaws.push(`out of the window: ${name(element)}`);
      const clips = style.overflowX === 'hidden' || style.overflowX === 'clip';
      if (clips && style.textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1)
        flaws.push(`cut off: ${name(element)}`);
      const [letter = ''] = /\p{L}/u.exec(element.textContent ?? '') ?? [];
      const runs = /\p{Script=Latin}/u.test(letter)
        ? 'ltr'
        : /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(letter) && 'rtl';
      const cutter = element.closest('.truncate');
      if (runs && cutter && cutter.scrollWidth > cutter.clientWidth + 1) {
        const { direction, unicodeBidi } = getComputedStyle(cutter);
        // What is isolated has no say in which way the line runs.
        const [only, ...others] = cutter.children;
        const isIsolated =
          only?.localName === 'bdi' && others.length === 0 && getComputedStyle(only).unicodeBidi !== 'normal';
        if (direction !== runs && (unicodeBidi !== 'plaintext' || isIsolated))
          flaws.push(`cut off where it begins: ${name(element)}`);
      }
    }
    /** Words of one direction, with what stands between them. */
    const runsOf = (text: string) =>
      [
        ['\\p{Script=Latin}\\p{N}', '\\p{P}\\p{S}\\s'],
        ['\\p{Script=Arabic}\\p{Script=Hebrew}', '\\p{P}\\s'],
      ].flatMap(([letters, between]) => [
        ...text.matchAll(new RegExp(`[${letters}](?:[${letters}${between}]*[${letters}])?`, 'gu')),
      ]);
    for (const cutter of document.querySelectorAll('body *')) {
      if (getComputedStyle(cutter).textOverflow !== 'ellipsis' || isHidden(cutter)) continue;
      if (cutter.scrollWidth <= cutter.clientWidth + 1) continue;
      // An ellipsis is no help where hardly a word is left of it.
      if (cutter.clientWidth > 1 && cutter.clientWidth < 32)
        flaws.push(`nearly nothing left: ${name(cutter)} in ${cutter.clientWidth} pixels`);
      const { left, right } = cutter.getBoundingClientRect();
      const texts = document.createTreeWalker(cutter, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const node = texts.currentNode;
        const isSeen = (at: number) => {
          const letter = document.createRange();
          letter.setStart(node, at);
          letter.setEnd(node, at + 1);
          const box = letter.getBoundingClientRect();
          return box.left >= left - 1 && box.right <= right + 1;
        };
        for (const { 0: words, index } of runsOf(node.textContent ?? ''))
          if (!isSeen(index) && isSeen(index + words.length - 1))
            flaws.push(`cut off where it begins: “${words.slice(0, 50)}”`);
      }
    }
    for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea')) {
      const { direction, unicodeBidi } = getComputedStyle(field);
      const text = field.value || field.placeholder;
      if (direction === 'rtl' && unicodeBidi !== 'plaintext' && /^https?:/.test(text) && !isHidden(field))
        flaws.push(`runs the wrong way: “${text.slice(0, 50)}”`);
    }
    const controls = 'a[href], button, input:not([type="hidden"]), select, textarea, [role="combobox"]';
    const layers =
      '[role="dialog"], [role="menu"], [role="listbox"], [role="tooltip"], [data-slot="viewport"]';
    /** Whether a place is beyond the edge of something that scrolls or cuts off what is in it. */
    const isBeyond = (element: Element, x: number, y: number) => {
      for (let one = element.parentElement; one; one = one.parentElement) {
        if (getComputedStyle(one).overflow === 'visible') continue;
        const { left, right, top, bottom } = one.getBoundingClientRect();
        if (x < left || x > right || y < top || y > bottom) return true;
      }
      return false;
    };
    const isSticky = (element: Element, beside: Element) => {
      for (let one: Element | null = element; one && !one.contains(beside); one = one.parentElement)
        if (getComputedStyle(one).position === 'sticky') return true;
      return false;
    };
    /** The other control that lies above a place of a control, in the same layer. */
    const above = (control: Element, x: number, y: number) => {
      const other = isBeyond(control, x, y) ? undefined : document.elementFromPoint(x, y)?.closest(controls);
      if (!other || other.contains(control) || control.contains(other)) return undefined;
      // The page scrolls below what sticks to an edge.
      if (isSticky(other, control)) return undefined;
      return other.closest(layers) === control.closest(layers) ? other : undefined;
    };
    for (const control of document.querySelectorAll(controls)) {
      const { left, top, width, height } = control.getBoundingClientRect();
      if (width < 2 || height < 2 || isHidden(control)) continue;
      // A card that is a link as a whole may have buttons on it.
      const covers = [0.25, 0.5, 0.75].map((share) => above(control, left + width * share, top + height / 2));
      const [one, other] = covers.filter((found) => found !== undefined);
      if (one && other) flaws.push(`below another control: ${name(control)} is covered by ${name(one)}`);
    }
    return [...new Set(flaws)];
  });
}
