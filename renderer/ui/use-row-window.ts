import { useElementSize, useEventListener } from '@vueuse/core';
import { computed, type Ref, ref } from 'vue';

/** Rows that are drawn beyond the edges, so that quick scrolling meets no gap. */
const overscan = 12;

/** More rows than any screen shows. A list that has lost its height would draw all of them and stand still. */
const most = 250;

/**
 * Which rows of a long list are in sight of `scroller`, all of them `rowHeight` pixels high, below a head of
 * `headHeight` pixels that stays. Only these are drawn; `before` and `after` are the pixels that the others take.
 */
export function useRowWindow(
  scroller: Readonly<Ref<HTMLElement | null>>,
  { count, rowHeight, headHeight }: { count: () => number; rowHeight: number; headHeight: number },
) {
  const { height } = useElementSize(scroller);
  const top = ref(0);
  useEventListener(
    scroller,
    'scroll',
    () => {
      top.value = scroller.value?.scrollTop ?? 0;
    },
    { passive: true },
  );

  const firstSeen = computed(() => Math.max(0, Math.min(count() - 1, Math.floor(top.value / rowHeight))));
  const lastSeen = computed(() =>
    Math.min(count() - 1, Math.ceil((top.value + Math.max(0, height.value - headHeight)) / rowHeight) - 1),
  );
  const first = computed(() => Math.max(0, firstSeen.value - overscan));
  const last = computed(() =>
    Math.min(count() - 1, Math.max(lastSeen.value, 0) + overscan, first.value + most),
  );

  /** Scrolls as little as needed to have a row wholly in sight. */
  function reveal(index: number): void {
    const element = scroller.value;
    if (!element) return;
    const room = element.clientHeight - headHeight;
    const start = index * rowHeight;
    if (start < element.scrollTop) element.scrollTop = start;
    else if (start + rowHeight > element.scrollTop + room) element.scrollTop = start + rowHeight - room;
    top.value = element.scrollTop;
  }

  return {
    first,
    last,
    firstSeen,
    lastSeen,
    before: computed(() => first.value * rowHeight),
    after: computed(() => Math.max(0, count() - 1 - last.value) * rowHeight),
    /** How many rows fit; what Page Down moves by. */
    pageLength: computed(() => Math.max(1, Math.floor((height.value - headHeight) / rowHeight))),
    reveal,
    scrollToTop(): void {
      if (scroller.value) scroller.value.scrollTop = 0;
    },
    /** Keeps what is in sight where it is while `rows` rows come or go above it. */
    shift(rows: number): void {
      if (scroller.value) scroller.value.scrollTop += rows * rowHeight;
    },
  };
}
