/** A keyboard event, to be converted to an Electron accelerator: `CommandOrControl+Shift+L`. */

interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** On macOS, Cmd takes the role of Ctrl, and Ctrl is a separate modifier. */
const isMac = () => window.desktop?.platform === 'darwin';

/**
 * The accelerator for a key event, if it is valid as a global shortcut: a letter, digit or function key with Ctrl, Cmd
 * or Alt. Undefined otherwise; keys without these modifiers are for typing.
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

/** The individual keys of an accelerator, as named by Nuxt UI's `UKbd`. */
export function keyCaps(accelerator: string): string[] {
  return accelerator
    .split('+')
    .map(
      (key) =>
        ({ CommandOrControl: 'meta', Control: 'ctrl', Super: 'win', Alt: 'alt', Shift: 'shift' })[key] ?? key,
    );
}
