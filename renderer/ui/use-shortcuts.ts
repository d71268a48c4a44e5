import { type ComputedRef, computed, onScopeDispose, shallowReactive } from 'vue';

export interface Shortcut {
  /**
   * One key as `KeyboardEvent.key` names it, in lower case (`c`, `/`, `?`, `escape`), or two pressed in a row (`g l`).
   */
  readonly keys: string;
  /** What it does, for the overview behind `?`. */
  readonly label: string;
  readonly enabled?: boolean;
  run(): void;
}

/** Newest last: the page on top wins over the frame. */
const offered = shallowReactive<ComputedRef<readonly Shortcut[]>[]>([]);

/** How long the second key of a pair is waited for. Milliseconds. */
const pairPause = 1200;

/**
 * Offers shortcuts while the calling component lives. They rest while a field has the focus or a dialog is open.
 * Ctrl, Alt and Cmd combinations belong to the browser and to `UCommandPalette`; they are none of these.
 */
export function useShortcuts(list: () => readonly Shortcut[]): void {
  const source = computed(list);
  offered.push(source);
  onScopeDispose(() => offered.splice(offered.indexOf(source), 1));
}

/** Everything that is offered now, frame first, for the overview. */
export function offeredShortcuts(): readonly Shortcut[] {
  return offered.flatMap((source) => source.value).filter((shortcut) => shortcut.enabled !== false);
}

/** Listens to the keyboard; the frame does this once. Returns the function that ends it. */
export function listenForShortcuts(target: Document): () => void {
  let first: { key: string; at: number } | undefined;

  function onKeydown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(event.target) || isDialogOpen(target)) return;
    const key = keyOf(event);
    const pair = first && event.timeStamp - first.at < pairPause ? `${first.key} ${key}` : undefined;
    first = undefined;
    const found = newest(pair) ?? newest(key);
    if (found) {
      event.preventDefault();
      found.run();
    } else if (offeredShortcuts().some((shortcut) => shortcut.keys.startsWith(`${key} `))) {
      first = { key, at: event.timeStamp };
    }
  }

  target.addEventListener('keydown', onKeydown);
  return () => target.removeEventListener('keydown', onKeydown);
}

function newest(keys: string | undefined): Shortcut | undefined {
  return keys === undefined ? undefined : offeredShortcuts().findLast((shortcut) => shortcut.keys === keys);
}

/** The letter that is printed on the key; on layouts without Latin letters the one at its place. */
function keyOf(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const isForeignLetter = key.length === 1 && /\p{L}/u.test(key) && !/[a-z]/.test(key);
  return isForeignLetter && event.code.startsWith('Key') ? event.code.slice(3).toLowerCase() : key;
}

/** Whether a keystroke there belongs to a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement)
    return !/^(checkbox|radio|button|submit|reset|range|file)$/.test(target.type);
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.role === 'combobox'
  );
}

/** Whether a dialog or a menu is open, which then has the keyboard. */
export function isDialogOpen(target: Document): boolean {
  return (
    target.querySelector(
      '[data-state="open"]:is([role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"])',
    ) !== null
  );
}
