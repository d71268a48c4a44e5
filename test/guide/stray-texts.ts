import type { Page } from 'playwright';

/**
 * Texts of the page that reach into the margin of their column, beside the other rows, or of which only the upper part is
 * shown, each as a short text.
 */
export function strayTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isOutOfColumn = (element: Element, box: DOMRect) => {
      const cell = element.closest('td, th');
      if (!cell || cell === element) return false;
      for (let one: Element | null = element; one && one !== cell; one = one.parentElement) {
        const { position, overflowX } = getComputedStyle(one);
        if (position === 'absolute' || overflowX !== 'visible') return false;
      }
      const { left, right } = cell.getBoundingClientRect();
      const { paddingLeft, paddingRight } = getComputedStyle(cell);
      return (
        box.left < left + Number.parseFloat(paddingLeft) - 1 ||
        box.right > right - Number.parseFloat(paddingRight) + 1
      );
    };
    const isCutBelow = (element: Element, box: DOMRect) => {
      for (let one = element.parentElement; one; one = one.parentElement) {
        const { overflowY, webkitLineClamp } = getComputedStyle(one);
        if (overflowY === 'auto' || overflowY === 'scroll' || webkitLineClamp !== 'none') return false;
        if (overflowY !== 'hidden' && overflowY !== 'clip') continue;
        const end = one.getBoundingClientRect().bottom;
        if (box.top < end - 1 && box.bottom > end + 1) return true;
      }
      return false;
    };
    const stray: string[] = [];
    for (const element of document.querySelectorAll('#content *')) {
      const text = element.textContent?.trim() ?? '';
      const box = element.getBoundingClientRect();
      if (element.children.length > 0 || text === '' || box.width < 2 || box.height < 2) continue;
      if (isOutOfColumn(element, box)) stray.push(`out of its column: “${text}”`);
      // The badge around a text may be cut although the text is not.
      const badge = element.parentElement;
      if (badge && isCutBelow(badge, badge.getBoundingClientRect())) stray.push(`cut off below: “${text}”`);
    }
    return stray;
  });
}
