import { offers } from './offers.ts';

export interface Shortcut {
  /**
   * A key in the notation of `KeyboardEvent.key`, lowercase (`c`, `/`, `?`, `escape`), or a sequence of two (`g l`).
   */
  readonly keys: string;
  /** Description in the shortcut overview (`?`). */
  readonly label: string;
  readonly enabled?: boolean;
  run(): void;
}

/** The current page takes precedence over the frame, which is older. */
const offered = offers<Shortcut>();

/** Timeout for the second key of a sequence, in milliseconds. */
const pairPause = 1200;

/**
 * Registers shortcuts for the lifetime of the calling component. They are inactive while a field has the focus or a
 * dialog is open. Combinations with Ctrl, Alt and Cmd are not supported; they belong to the browser and to
 * `UCommandPalette`.
 */
export const useShortcuts = offered.add;

/** All enabled shortcuts, the frame's first, for the overview. */
export function offeredShortcuts(): readonly Shortcut[] {
  return offered.all().filter((shortcut) => shortcut.enabled !== false);
}

/** Listens to the keyboard; called once by the frame. Returns a function that stops it. */
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

/** The character on the key; on layouts without Latin letters, the Latin letter of the key's position. */
function keyOf(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const isForeignLetter = key.length === 1 && /\p{L}/u.test(key) && !/[a-z]/.test(key);
  return isForeignLetter && event.code.startsWith('Key') ? event.code.slice(3).toLowerCase() : key;
}

/** Whether keystrokes at the target go to an input field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement)
    return !/^(checkbox|radio|button|submit|reset|range|file)$/.test(target.type);
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.role === 'combobox'
  );
}

/** Whether an open dialog or menu has the keyboard. */
export function isDialogOpen(target: Document): boolean {
  return (
    target.querySelector(
      '[data-state="open"]:is([role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"])',
    ) !== null
  );
}
