import { useEventListener, useResizeObserver } from '@vueuse/core';
import { computed, onMounted, type Ref, ref, watch } from 'vue';
import { afterPaint } from './after-paint.ts';
import { scrollScale } from './scroll-scale.ts';

/** Rows drawn above and below the visible ones once these are on the screen, so that fast scrolling shows no gap. */
const overscan = 12;

/** More rows than any screen shows. A list that has lost its height would draw all of them and freeze the page. */
const most = 250;

/** Scrolling farther than this at once, in pages, is a jump: the scroll bar was dragged. */
const jumpPages = 8;
/** How far the scroll position may drift from its place in the whole list before it is corrected. Pixels. */
const mostDrift = 25_000;

/** Where a list was last shown, it is likely to be as high again: it is drawn without laying out the page to ask. */
let heightBefore = 0;

/**
 * The visible rows of a long list in `scroller`. Each row is `rowHeight` pixels high; a head of `headHeight` pixels
 * stays in place. Only these rows are drawn: `before` and `after` are the heights of the space for the others. A list
 * that is too tall for browsers is drawn shorter (`scroll-scale.ts`): small movements are exact to the pixel, a drag
 * of the scroll bar jumps.
 */
export function useRowWindow(
  scroller: Readonly<Ref<HTMLElement | null>>,
  { count, rowHeight, headHeight }: { count: () => number; rowHeight: number; headHeight: number },
) {
  const height = ref(heightBefore);
  useResizeObserver(scroller, ([entry]) => {
    if (entry) heightBefore = height.value = entry.contentRect.height;
  });
  /** The offset of the first visible pixel in the whole list. */
  const top = ref(0);
  /** The difference between `top` and the scroll position. */
  const offset = ref(0);
  /** None until the visible rows are on the screen, which they are sooner without the others. */
  const beyond = ref(0);
  onMounted(() =>
    afterPaint(() => {
      beyond.value = overscan;
    }),
  );
  const room = () => Math.max(0, height.value - headHeight);
  const scale = computed(() => scrollScale(count() * rowHeight, room()));
  useEventListener(scroller, 'scroll', follow, { passive: true });

  /** Takes over where the person has scrolled to. */
  function follow(): void {
    const element = scroller.value;
    if (!element) return;
    const { isWhole, height: drawn, mostTop, positionOf, topAt } = scale.value;
    const position = element.scrollTop;
    const moved = position + offset.value - top.value;
    if (isWhole || Math.abs(moved) > jumpPages * element.clientHeight) {
      settle(topAt(position), position);
      return;
    }
    const next = Math.max(0, Math.min(mostTop, position + offset.value));
    const drift = Math.abs(positionOf(next) - position);
    // The rows drawn beyond the edges need space there.
    const edge = 2 * overscan * rowHeight;
    const isAtEdge = position < edge || position > drawn - room() - edge;
    if (drift > mostDrift || (isAtEdge && drift > 1)) scrollTo(next);
    else settle(next, position);
  }

  function settle(next: number, position: number): void {
    top.value = next;
    offset.value = next - position;
  }

  /** Scrolls to an offset in the whole list. One that is not mounted yet is first drawn there. */
  function scrollTo(to: number): void {
    const element = scroller.value;
    const { mostTop, positionOf, topAt } = scale.value;
    const next = Math.max(0, Math.min(mostTop, to));
    if (!element) {
      top.value = next;
      return;
    }
    const wanted = positionOf(next);
    element.scrollTop = wanted;
    const position = element.scrollTop;
    // It is rounded to the pixels of the screen, and cut off while the list is not laid out.
    settle(Math.abs(position - wanted) > 1 ? topAt(position) : next, position);
  }

  // A list that was searched or filtered has another scale.
  watch(
    () => scale.value.isWhole && scale.value.height,
    () => {
      const element = scroller.value;
      // At its start, a list stays there whatever its scale; asking for the position would lay out the page twice.
      if (!element || (top.value === 0 && offset.value === 0)) return;
      if (scale.value.isWhole) settle(element.scrollTop, element.scrollTop);
      else scrollTo(top.value);
    },
    { flush: 'post' },
  );

  const firstSeen = computed(() => Math.max(0, Math.min(count() - 1, Math.floor(top.value / rowHeight))));
  const lastSeen = computed(() => Math.min(count() - 1, Math.ceil((top.value + room()) / rowHeight) - 1));
  const first = computed(() => Math.max(0, firstSeen.value - beyond.value));
  const last = computed(() =>
    Math.min(count() - 1, Math.max(lastSeen.value, 0) + beyond.value, first.value + most),
  );

  return {
    first,
    last,
    firstSeen,
    lastSeen,
    before: computed(() => Math.max(0, first.value * rowHeight - offset.value)),
    after: computed(() => Math.max(0, scale.value.height - (last.value + 1) * rowHeight + offset.value)),
    /** How many rows fit; what Page Down moves by. */
    pageLength: computed(() => Math.max(1, Math.floor((height.value - headHeight) / rowHeight))),
    /** The offset of the first visible pixel in the whole list, which the scroll position is only for shorter lists. */
    top: computed(() => top.value),
    scrollTo,
    /** Scrolls as little as needed to make a row completely visible. */
    reveal(index: number): void {
      const element = scroller.value;
      if (!element) return;
      const visible = element.clientHeight - headHeight;
      const start = index * rowHeight;
      if (start < top.value) scrollTo(start);
      else if (start + rowHeight > top.value + visible) scrollTo(start + rowHeight - visible);
    },
    scrollToTop: () => scrollTo(0),
    /** Keeps the visible rows in place when `rows` rows are added or removed above them. */
    shift: (rows: number) => scrollTo(top.value + rows * rowHeight),
  };
}
