import type { Page } from 'playwright';

/**
 * What has less than 44 by 44 pixels for a finger, each as a short text. Links in a text are as high as its lines (WCAG 2.5.8
 * excepts them). A window without touch has none.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (!matchMedia('(pointer: coarse)').matches) return [];
    const small: string[] = [];
    const targets = 'button, a[href], input, select, textarea, summary, [role="menuitem"], [role="option"]';
    for (const element of document.querySelectorAll(targets)) {
      const isHidden = element.closest('[aria-hidden="true"], .sr-only, [inert]') !== null;
      const { width, height, left, top } = element.getBoundingClientRect();
      if (isHidden || width < 2 || height < 2 || element.matches(':disabled')) continue;
      if (element.matches('a') && getComputedStyle(element).display === 'inline') continue;
      /** Whether a finger that is so far from the middle still hits it, or its label. */
      const isHit = (x: number, y: number) => {
        const [atX, atY] = [left + width / 2 + x, top + height / 2 + y];
        // At the edge of the window it has half of its room.
        if (atX < 0 || atY < 0 || atX >= innerWidth || atY >= innerHeight) return true;
        const hit = document.elementFromPoint(atX, atY);
        return hit !== null && (element.contains(hit) || hit.closest('label')?.control === element);
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
