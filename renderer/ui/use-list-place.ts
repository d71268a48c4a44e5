import { useEventListener } from '@vueuse/core';
import { nextTick, type Ref, watch } from 'vue';
import { useEntryMemory } from './use-entry-memory.ts';

/**
 * Where somebody was in a list: how far it was scrolled, in pixels, the row that the keyboard was at, and where the
 * link leads that had the focus.
 */
interface Place {
  readonly top: number;
  readonly cursor?: number | undefined;
  readonly link?: string | undefined;
}

interface Options {
  /** Whether the rows are there. */
  readonly isReady: () => boolean;
  /** The row of the keyboard, if the list has one; `focusCursor` gives it the focus as soon as it is drawn. */
  readonly cursor?: Ref<number | undefined>;
  readonly focusCursor?: () => void;
  /** For lists whose scroll position is not the offset in the list (`use-row-window.ts`). */
  readonly sight?: { readonly top: Readonly<Ref<number>>; readonly scrollTo: (top: number) => void };
}

/**
 * Brings whoever comes back to a list to where they were in it, with the keyboard, too: the row of `cursor` has the
 * focus again, or else the link that had it.
 */
export function useListPlace(
  scroller: Readonly<Ref<HTMLElement | null | undefined>>,
  { isReady, cursor, focusCursor, sight }: Options,
): void {
  const memory = useEntryMemory('place');
  let link: string | undefined;
  const keep = () => {
    const top = sight?.top.value ?? scroller.value?.scrollTop;
    if (top !== undefined) memory.keep({ top, cursor: cursor?.value, link } satisfies Place);
  };
  useEventListener(scroller, 'scroll', keep, { passive: true });
  useEventListener(scroller, 'focusin', ({ target }: FocusEvent) => {
    link = target instanceof HTMLAnchorElement ? (target.getAttribute('href') ?? undefined) : undefined;
    keep();
  });
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
      if (sight) sight.scrollTo(before.top);
      else element.scrollTop = before.top;
      if (before.cursor !== undefined) focusCursor?.();
      else if (before.link && document.activeElement === document.body)
        element
          .querySelector<HTMLElement>(`a[href="${CSS.escape(before.link)}"]`)
          ?.focus({ preventScroll: true });
    },
    { flush: 'post' },
  );
}

function placeOf(kept: unknown): Place | undefined {
  const { top, cursor, link } = (kept ?? {}) as Partial<Place>;
  if (typeof top !== 'number') return undefined;
  return {
    top,
    cursor: typeof cursor === 'number' ? cursor : undefined,
    link: typeof link === 'string' ? link : undefined,
  };
}
