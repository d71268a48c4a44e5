/** Keys as the main process registers them: `CommandOrControl+Shift+L`. */

interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Where Cmd is what Ctrl is elsewhere; Ctrl is another key there. */
const isMac = () => window.desktop?.platform === 'darwin';

/**
 * What was pressed, if it can be the keys of the whole system: a letter, a digit or a function key, together with Ctrl,
 * Cmd or Alt. Undefined otherwise; single letters belong to whoever types.
 */
export function acceleratorOf(event: Pressed, mac = isMac()): string | undefined {
  const key =
    /^Key([A-Z])$/.exec(event.code)?.[1] ?? /^Digit(\d)$/.exec(event.code)?.[1] ?? functionKey(event.key);
  if (!key) return undefined;
  const modifiers = [
    ...((mac ? event.metaKey : event.ctrlKey) ? ['CommandOrControl'] : []),
    ...(mac && event.ctrlKey ? ['Control'] : []),
    ...(!mac && event.metaKey ? ['Super'] : []),
    ...(event.altKey ? ['Alt'] : []),
    ...(event.shiftKey ? ['Shift'] : []),
  ];
  return modifiers.some((modifier) => modifier !== 'Shift') ? [...modifiers, key].join('+') : undefined;
}

function functionKey(key: string): string | undefined {
  return /^F([1-9]|1\d|2[0-4])$/.test(key) ? key : undefined;
}

/** The keys one by one, as the kit's key caps name them. */
export function keyCaps(accelerator: string): string[] {
  return accelerator
    .split('+')
    .map(
      (key) =>
        ({ CommandOrControl: 'meta', Control: 'ctrl', Super: 'win', Alt: 'alt', Shift: 'shift' })[key] ?? key,
    );
}
