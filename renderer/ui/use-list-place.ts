import { useEventListener } from '@vueuse/core';
import { nextTick, type Ref, watch } from 'vue';
import { isFocusFree } from './focus-place.ts';
import { useEntryMemory } from './use-entry-memory.ts';

/**
 * The user's position in a list: scroll offset in pixels, the row with the keyboard cursor and the id of its record,
 * and the href of the focused link.
 */
interface Place {
  readonly top: number;
  readonly cursor?: number | undefined;
  readonly id?: number | undefined;
  readonly link?: string | undefined;
}

interface Cursor {
  /** The row that it is on. */
  readonly index: Readonly<Ref<number | undefined>>;
  /** The id of the record in this row, if it is loaded. */
  readonly id: () => number | undefined;
  /**
   * Goes to the record with the given id, which was at `index` when the list was left, or to the one there now.
   * Resolves to the number of rows by which the record has moved.
   */
  readonly returnTo: (index: number | undefined, id: number | undefined) => Promise<number>;
  /** Focuses its row as soon as it is rendered. */
  readonly focus: () => void;
  /** Keeps its row where it was on the screen after it has moved by some rows. */
  readonly follow: (rows: number) => void;
}

interface Options {
  /** Whether the rows are loaded. */
  readonly isReady: () => boolean;
  /** The keyboard cursor, if the list has one. */
  readonly cursor?: Cursor;
  /** For lists whose scroll position is not the offset in the list (`use-row-window.ts`). */
  readonly sight?: { readonly top: Readonly<Ref<number>>; readonly scrollTo: (top: number) => void };
}

/**
 * Restores scroll position and focus on returning to a list: the focus goes to the row of `cursor`, or to the link that
 * had it.
 */
export function useListPlace(
  scroller: Readonly<Ref<HTMLElement | null | undefined>>,
  { isReady, cursor, sight }: Options,
): void {
  const memory = useEntryMemory('place');
  let link: string | undefined;
  const keep = () => {
    const top = sight?.top.value ?? scroller.value?.scrollTop;
    if (top === undefined) return;
    memory.keep({ top, cursor: cursor?.index.value, id: cursor?.id(), link } satisfies Place);
  };
  useEventListener(scroller, 'scroll', keep, { passive: true });
  useEventListener(scroller, 'focusin', ({ target }: FocusEvent) => {
    link = target instanceof HTMLAnchorElement ? (target.getAttribute('href') ?? undefined) : undefined;
    keep();
  });
  if (cursor) watch(cursor.index, keep);

  const before = placeOf(memory.before);
  if (!before) return;
  if (isReady()) sight?.scrollTo(before.top);
  const stop = watch(
    [scroller, isReady],
    async ([element, ready]) => {
      if (!element || !ready) return;
      stop();
      const moved = cursor?.returnTo(before.cursor, before.id);
      // Wait until the rows that give the list its height are rendered.
      await nextTick();
      if (sight) sight.scrollTo(before.top);
      else element.scrollTop = before.top;
      if (before.cursor !== undefined) cursor?.focus();
      else if (before.link && isFocusFree(document))
        element
          .querySelector<HTMLElement>(`a[href="${CSS.escape(before.link)}"]`)
          ?.focus({ preventScroll: true });
      const rows = await moved;
      if (rows) cursor?.follow(rows);
    },
    { flush: 'post' },
  );
}

function placeOf(kept: unknown): Place | undefined {
  const { top, cursor, id, link } = (kept ?? {}) as Partial<Place>;
  if (typeof top !== 'number') return undefined;
  return {
    top,
    cursor: typeof cursor === 'number' ? cursor : undefined,
    id: typeof id === 'number' ? id : undefined,
    link: typeof link === 'string' ? link : undefined,
  };
}
