import { useEventListener } from '@vueuse/core';
import { computed, nextTick, onScopeDispose, ref, shallowRef, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { placeUnder, withMoved } from './drag-order.ts';

type Key = string | number;

interface Options<Id extends Key> {
  /** The stored order. */
  ids: () => readonly Id[];
  /** The element that contains the rows; each row has a `data-order-id`. */
  list: () => HTMLElement | null | undefined;
  /** Stores a new order. Returning false or throwing reverts it. */
  save: (order: readonly Id[]) => Promise<boolean | undefined>;
}

/** Auto-scroll while dragging: distance from the edge in pixels, and speed in pixels per frame. */
const edge = 56;
const scrollStep = 14;

/**
 * Reordering of list rows by drag handle or keyboard: Space picks up a row, the arrow keys move it, Space drops it,
 * Escape cancels. Render the rows in `order`; bind `handle(id)` to a button in each row, and render `announcement` in
 * an element with `role="status"` for screen readers.
 */
export function useDragOrder<Id extends Key>({ ids, list, save }: Options<Id>) {
  const { t } = useI18n();
  const held = shallowRef<Id>();
  /** The order while a row is held, and after the drop until the stored order matches. */
  const draft = shallowRef<readonly Id[]>();
  const announcement = ref('');
  const byPointer = ref(false);
  let pointerY = 0;
  let frame = 0;
  /** Orders that are being stored. */
  let saving = 0;

  const order = computed<readonly Id[]>(() => {
    const stored = ids();
    // If rows were added or removed in the meantime, the stored order wins.
    const known = draft.value?.filter((id) => stored.includes(id));
    return known?.length === stored.length ? known : stored;
  });

  watch(ids, () => {
    // What arrives while an order is being stored may have been read before it.
    if (held.value !== undefined) {
      if (!ids().includes(held.value)) cancel();
    } else if (saving === 0) {
      draft.value = undefined;
    }
  });

  function say(key: 'lifted' | 'moved' | 'dropped' | 'cancelled'): void {
    const position = held.value === undefined ? 0 : order.value.indexOf(held.value) + 1;
    announcement.value = t(`ui.order.${key}`, { position, total: order.value.length });
  }

  function lift(id: Id): void {
    held.value = id;
    draft.value = [...order.value];
    say('lifted');
  }

  function moveTo(index: number): void {
    if (held.value === undefined) return;
    const next = withMoved(order.value, held.value, index);
    if (next === order.value) return;
    draft.value = next;
    say('moved');
  }

  function cancel(): void {
    if (held.value === undefined) return;
    end();
    draft.value = undefined;
    say('cancelled');
  }

  const isStored = (wanted: readonly Id[]) => wanted.every((id, index) => id === ids()[index]);

  async function drop(): Promise<void> {
    if (held.value === undefined) return;
    say('dropped');
    const wanted = order.value;
    end();
    if (isStored(wanted)) {
      draft.value = undefined;
      return;
    }
    draft.value = wanted;
    saving += 1;
    const isSaved = await save(wanted).then(
      (saved) => saved !== false,
      () => false,
    );
    saving -= 1;
    if ((!isSaved || isStored(wanted)) && draft.value === wanted) draft.value = undefined;
  }

  function end(): void {
    held.value = undefined;
    byPointer.value = false;
    cancelAnimationFrame(frame);
  }

  function follow(): void {
    const rows = [...(list()?.querySelectorAll<HTMLElement>('[data-order-id]') ?? [])];
    const [first] = rows;
    const frameOfRows = first?.offsetParent;
    if (held.value === undefined || !frameOfRows) return;
    // Offsets, not client rectangles: a row still animating counts as being in its final position.
    const y = pointerY - frameOfRows.getBoundingClientRect().top + frameOfRows.scrollTop;
    const others = rows.filter((row) => row.dataset.orderId !== String(held.value));
    moveTo(
      placeUnder(
        others.map((row) => row.offsetTop + row.offsetHeight / 2),
        y,
      ),
    );
  }

  function scrollAtEdges(): void {
    if (!byPointer.value) return;
    const scroller = scrollerOf(list());
    if (scroller) {
      const { top, bottom } = scroller.getBoundingClientRect();
      const before = scroller.scrollTop;
      if (pointerY < top + edge) scroller.scrollTop -= scrollStep;
      else if (pointerY > bottom - edge) scroller.scrollTop += scrollStep;
      if (scroller.scrollTop !== before) follow();
    }
    frame = requestAnimationFrame(scrollAtEdges);
  }

  useEventListener(window, 'pointermove', (event) => {
    if (!byPointer.value) return;
    pointerY = event.clientY;
    follow();
  });
  useEventListener(window, 'pointerup', () => {
    if (byPointer.value) void drop();
  });
  useEventListener(window, 'pointercancel', () => {
    if (byPointer.value) cancel();
  });
  useEventListener(
    window,
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || held.value === undefined) return;
      // Escape only cancels the drag; it does not also close a dialog.
      event.preventDefault();
      event.stopPropagation();
      cancel();
    },
    { capture: true },
  );
  onScopeDispose(end);

  async function onKeydown(id: Id, event: KeyboardEvent): Promise<void> {
    const isHeld = held.value === id;
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (isHeld) void drop();
      else lift(id);
      return;
    }
    if (!isHeld) return;
    const at = order.value.indexOf(id);
    const targets: Record<string, number> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: order.value.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    moveTo(target);
    await nextTick();
    // Moving the row in the DOM blurs its focused element.
    const handle = list()?.querySelector<HTMLElement>(
      `[data-order-id="${CSS.escape(String(id))}"] [data-order-handle]`,
    );
    handle?.focus();
    handle?.scrollIntoView({ block: 'nearest' });
  }

  /** Attributes and listeners for a row's handle; give the button its own accessible name (`ui.order.handle`). */
  function handle(id: Id) {
    return {
      'data-order-handle': '',
      'aria-pressed': held.value === id,
      'aria-roledescription': t('ui.order.role'),
      onPointerdown(event: PointerEvent): void {
        if (event.button !== 0) return;
        // Prevents text selection and touch scrolling.
        event.preventDefault();
        if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
        pointerY = event.clientY;
        byPointer.value = true;
        lift(id);
        frame = requestAnimationFrame(scrollAtEdges);
      },
      onKeydown: (event: KeyboardEvent) => void onKeydown(id, event),
      onBlur(): void {
        // Moving the row by keyboard blurs it briefly, so check a moment later.
        setTimeout(() => {
          const isStillHere = document.activeElement?.closest('[data-order-id]') !== null;
          if (held.value === id && !byPointer.value && !isStillHere) cancel();
        }, 50);
      },
    };
  }

  return { order, held, announcement, handle };
}

/** The nearest scrollable ancestor. */
function scrollerOf(element: HTMLElement | null | undefined): HTMLElement | undefined {
  for (let parent = element?.parentElement; parent; parent = parent.parentElement) {
    const isScrolling = /auto|scroll/.test(getComputedStyle(parent).overflowY);
    if (isScrolling && parent.scrollHeight > parent.clientHeight) return parent;
  }
  return undefined;
}
