import { z } from 'zod';
import { windowState } from '../shell/window-state.ts';

/** The port that the server tries at its first start (decision 0053). */
export const defaultPort = 8420;

const modifiers = ['CommandOrControl', 'Control', 'Alt', 'Shift', 'Super'];

/**
 * Whether an accelerator is valid as a global shortcut: Electron throws on unknown keys, and keys without a modifier
 * would interfere with typing.
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

/** The user's settings of the app; absent ones have not been chosen yet. */
export const desktopChoices = z.object({
  /** The global shortcut that shortens the clipboard's address, as an Electron accelerator; null for none. */
  shortcut: z.string().max(60).refine(isSystemWide).nullable(),
  /** Whether the app keeps running in the tray when its window is closed. */
  background: z.boolean(),
  openAtLogin: z.boolean(),
  /** Whether to show system notifications about domains, security and the server. */
  notifications: z.boolean(),
  /** Whether to check for updates. */
  updates: z.boolean(),
});

/** Maximum number of damage messages in one dialog. */
export const mostUntold = 10;

/** The desktop's saved state. Loose: properties added by newer versions are preserved. */
export const preferences = z.looseObject({
  /** The port last used: short links contain it, so it is tried first. */
  port: z.number().int().min(1).max(65_535).optional(),
  window: windowState.optional(),
  /** Messages about unreadable files that the user has not seen yet. */
  untold: z.array(z.string().max(10_000)).max(mostUntold).optional(),
  ...desktopChoices.partial().shape,
});
export type Preferences = z.output<typeof preferences>;
