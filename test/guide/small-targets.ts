import type { Page } from 'playwright';

/**
 * What has less than 44 by 44 pixels for a finger, each as a short text. A link within a sentence is as high as its
 * lines (WCAG 2.5.8 excepts it); one that stands alone is not in a sentence. A window without touch has none. The page
 * is scrolled on the way.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (!matchMedia('(pointer: coarse)').matches) return [];
    const small: string[] = [];
    const targets =
      'button, a[href], input, select, textarea, summary, [role="button"], [role="menuitem"], [role="option"]';
    /** Whether there are words around the link in the same block. */
    const isInSentence = (link: Element) => {
      let block = link.parentElement;
      while (block && getComputedStyle(block).display.startsWith('inline')) block = block.parentElement;
      if (!block || getComputedStyle(link).display !== 'inline') return false;
      const words = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      while (words.nextNode()) {
        const { parentElement, textContent } = words.currentNode;
        const isWord = /[\p{L}\p{N}]/u.test(textContent ?? '');
        if (isWord && !parentElement?.closest('a, button, .sr-only, [aria-hidden="true"]')) return true;
      }
      return false;
    };
    for (const element of document.querySelectorAll(targets)) {
      const isHidden = element.closest('[aria-hidden="true"], .sr-only, [inert]') !== null;
      if (!isHidden) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      // A label around a field is touched in its place.
      const target = element.matches('input') ? (element.closest('label') ?? element) : element;
      const { width, height, left, top } = target.getBoundingClientRect();
      if (isHidden || width < 2 || height < 2 || element.matches(':disabled, [aria-disabled="true"]'))
        continue;
      if (element.matches('a') && isInSentence(element)) continue;
      /** Whether a finger that is so far from the middle still hits it, or its label. */
      const isHit = (x: number, y: number) => {
        const [atX, atY] = [left + width / 2 + x, top + height / 2 + y];
        // At the edge of the window it has half of its room.
        if (atX < 0 || atY < 0 || atX >= innerWidth || atY >= innerHeight) return true;
        const hit = document.elementFromPoint(atX, atY);
        return hit !== null && (target.contains(hit) || hit.closest('label')?.control === element);
      };
      // Something lies over it, such as an open dialog.
      if (!isHit(0, 0)) continue;
      const reach = 21;
      const isWide = width >= 43 || (isHit(-reach, 0) && isHit(reach, 0));
      const isHigh = height >= 43 || (isHit(0, -reach) && isHit(0, reach));
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40);
      const size = `${Math.round(width)} × ${Math.round(height)}`;
      if (!isWide || !isHigh) small.push(`too small for a finger: ${element.localName} “${name}” ${size}`);
    }
    return [...new Set(small)];
  });
}
