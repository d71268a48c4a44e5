import { useEventListener } from '@vueuse/core';
import { nextTick, type Ref, watch } from 'vue';
import { useEntryMemory } from './use-entry-memory.ts';

/** Where somebody was in a list: how far it was scrolled, in pixels, and the row that the keyboard was at. */
interface Place {
  readonly top: number;
  readonly cursor?: number | undefined;
}

/**
 * Brings whoever comes back to a list to where they were in it. `isReady` tells that its rows are there; `cursor` is
 * the row of the keyboard, if the list has one.
 */
export function useListPlace(
  scroller: Readonly<Ref<HTMLElement | null | undefined>>,
  { isReady, cursor }: { isReady: () => boolean; cursor?: Ref<number | undefined> },
): void {
  const memory = useEntryMemory('place');
  const keep = () => {
    if (scroller.value) memory.keep({ top: scroller.value.scrollTop, cursor: cursor?.value } satisfies Place);
  };
  useEventListener(scroller, 'scroll', keep, { passive: true });
  if (cursor) watch(cursor, keep);

  const before = placeOf(memory.before);
  if (!before) return;
  const stop = watch(
    [scroller, isReady],
    async ([element, ready]) => {
      if (!element || !ready) return;
      stop();
      if (cursor) cursor.value = before.cursor;
      // What gives the list its height is drawn first.
      await nextTick();
      element.scrollTop = before.top;
    },
    { flush: 'post' },
  );
}

function placeOf(kept: unknown): Place | undefined {
  const { top, cursor } = (kept ?? {}) as Partial<Place>;
  return typeof top === 'number'
    ? { top, cursor: typeof cursor === 'number' ? cursor : undefined }
    : undefined;
}
