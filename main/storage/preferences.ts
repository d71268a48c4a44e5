import { z } from 'zod';
import { windowState } from '../shell/window-state.ts';

/** The port that the server tries when it has never run (decision 0053). */
export const defaultPort = 8420;

const modifiers = ['CommandOrControl', 'Control', 'Alt', 'Shift', 'Super'];

/**
 * Keys as the page records them; for other words Electron throws, and keys without a modifier belong to whoever types.
 */
function isSystemWide(accelerator: string): boolean {
  const parts = accelerator.split('+');
  const key = parts.pop() ?? '';
  return (
    /^([A-Z]|\d|F([1-9]|1\d|2[0-4]))$/.test(key) &&
    parts.every((part) => modifiers.includes(part)) &&
    new Set(parts).size === parts.length &&
    parts.some((part) => part !== 'Shift')
  );
}

/** What a person chooses about this app; absent is not chosen yet. */
export const desktopChoices = z.object({
  /** Shortens what is copied, from everywhere, in Electron's spelling (`CommandOrControl+Shift+L`); null is none. */
  shortcut: z.string().max(60).refine(isSystemWide).nullable(),
  /** Whether the app lives on in the tray when its window is closed. */
  background: z.boolean(),
  openAtLogin: z.boolean(),
  /** Whether the system's notifications tell of domains, security and the server. */
  notifications: z.boolean(),
  /** Whether a newer version is looked for. */
  updates: z.boolean(),
});

/** So many damages are told in one box. */
export const mostUntold = 10;

/** What the desktop remembers of itself from one start to the next. What a newer version added is left as it is. */
export const preferences = z.looseObject({
  /** The port that the server got last: short links carry it, so it is tried first. */
  port: z.number().int().min(1).max(65_535).optional(),
  window: windowState.optional(),
  /** What could not be read at a start and nobody has been told yet, in sentences. */
  untold: z.array(z.string().max(10_000)).max(mostUntold).optional(),
  ...desktopChoices.partial().shape,
});
export type Preferences = z.output<typeof preferences>;
