import { useEventListener } from '@vueuse/core';
import { type Directive, nextTick, onScopeDispose } from 'vue';

/** Moves the focus to where it was, or to what took its place. */
type Restore = () => void;

/** Rows of lists, including cards. */
const row = 'tr, li, article';
const menuButton = '[aria-haspopup="menu"]';
/** What disappears as soon as it was used: menus, lists of values and messages. */
const passing = '[role="menu"], [role="listbox"], [data-slot="viewport"]';

/** Where the focus was last, outside of menus and messages. */
let latest: Restore | undefined;

/** Whether nothing in particular has the focus, which is then on the body or on the page's content as a whole. */
export function isFocusFree(page: Document): boolean {
  const { activeElement: at, body } = page;
  return at === null || at === body || at === contentOf(page);
}

/**
 * Remembers where the focus is, as long as the scope is active, and returns it to what was disabled for a while, such as
 * a button that loads, or moved in the page, such as a row that was starred, unless the user has done something else.
 * Called once by the app.
 */
export function useFocusMemory(page: Document): void {
  /** Has the focus, or lost it by being disabled or moved. */
  let holder: HTMLElement | undefined;
  useEventListener(page, 'focusin', ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || target.closest(passing)) return;
    latest = placeOf(target);
    holder = target;
  });
  useEventListener(
    page,
    'pointerdown',
    ({ target }: PointerEvent) => {
      if (target instanceof Node && !holder?.contains(target)) holder = undefined;
    },
    { capture: true },
  );
  // Enter may be pressed twice.
  useEventListener(
    page,
    'keydown',
    ({ key }: KeyboardEvent) => {
      if (isFocusFree(page) && key !== 'Enter') holder = undefined;
    },
    { capture: true },
  );
  const observer = new MutationObserver((changes) => {
    if (!holder || page.activeElement !== page.body || holder.matches(':disabled')) return;
    const moved = (nodes: NodeList) => [...nodes].some((node) => node.contains(holder ?? null));
    const isBack = changes.some(({ target, addedNodes }) => target === holder || moved(addedNodes));
    if (isBack) holder.focus({ preventScroll: true });
  });
  observer.observe(page, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] });
  onScopeDispose(() => observer.disconnect());
}

/**
 * Returns a function that moves the focus back to where it is now: to the same element, or if it has been removed, to
 * the same kind of control in the row that took its place, or to the content of the page. In a menu, the place is the
 * element from which the menu was opened.
 */
export function rememberFocus(page: Document): Restore {
  const at = page.activeElement;
  const menu = at?.closest('[role="menu"]');
  const button = menu && page.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  if (button) return placeOf(button);
  const isPlace = at instanceof HTMLElement && at !== page.body && !at.closest(passing);
  return isPlace ? placeOf(at) : (latest ?? (() => focusContent(page)));
}

/** Moves the focus from a message that closes to where it was before, or to what took its place. */
export function leaveMessage(): void {
  latest?.();
}

/** Moves the focus to the content of the page, from where Tab leads to its first control. */
export function focusContent(page: Document): void {
  contentOf(page)?.focus({ preventScroll: true });
}

/**
 * For `onCloseAutoFocus` of menus: returns the focus to the menu's button, unless the chosen item has moved it, for
 * example to a form that opened. Without it, a menu takes the focus back from the form.
 */
export function leaveMenu(event: Event): void {
  const content = event.target;
  if (!(content instanceof HTMLElement)) return;
  event.preventDefault();
  const { ownerDocument: page } = content;
  if (!isFocusFree(page) && !content.contains(page.activeElement)) return;
  // The menu may be inside an element that positions it.
  const menu = content.closest('[role="menu"]') ?? content.querySelector('[role="menu"]');
  const button = page.getElementById(menu?.getAttribute('aria-labelledby') ?? '');
  if (button) button.focus({ preventScroll: true });
  else latest?.();
}

/** Keeps the focus in the list when the row at or around `element` is about to be removed with the focus in it. */
export async function leaveRow(element: Element): Promise<void> {
  const { ownerDocument: page } = element;
  const around = element.closest(row);
  if (!around?.contains(page.activeElement)) return;
  const restore = rememberFocus(page);
  await nextTick();
  if (isFocusFree(page)) restore();
}

/** A directive for rows with buttons that remove them. Rows with a `RowMenu` need none. */
export const vRowFocus: Directive<HTMLElement> = { beforeUnmount: leaveRow };

function contentOf(page: Document): HTMLElement | null {
  return page.getElementById('content');
}

function placeOf(element: HTMLElement): Restore {
  const { ownerDocument: page } = element;
  const around = element.closest(row);
  const list = around?.parentElement;
  const index = list ? [...list.children].indexOf(around as Element) : -1;
  const kind = element.matches(menuButton) ? `button${menuButton}` : element.localName;
  return () => {
    element.focus({ preventScroll: true });
    if (page.activeElement === element) return;
    const rows = list?.isConnected ? [...list.children] : [];
    rows[Math.min(index, rows.length - 1)]?.querySelector<HTMLElement>(kind)?.focus({ preventScroll: true });
    if (isFocusFree(page)) focusContent(page);
  };
}
