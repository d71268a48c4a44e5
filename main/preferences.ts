import { z } from 'zod';
import { windowState } from './window-state.ts';

/** The port that the server tries when it has never run (decisions, section 8). */
export const defaultPort = 8420;

/** What a person chooses about this app; absent is not chosen yet. */
export const desktopChoices = z.object({
  /** Shortens what is copied, from everywhere, in Electron's spelling (`CommandOrControl+Shift+L`); null is none. */
  shortcut: z
    .string()
    .max(60)
    .regex(/^[A-Za-z0-9]+(\+[A-Za-z0-9]+)+$/)
    .nullable(),
  /** Whether the app lives on in the tray when its window is closed. */
  background: z.boolean(),
  openAtLogin: z.boolean(),
  /** Whether the system's notifications tell of domains, security and the server. */
  notifications: z.boolean(),
  /** Whether a newer version is looked for. */
  updates: z.boolean(),
});

/** What the desktop remembers of itself from one start to the next. */
export const preferences = z.object({
  /** The port that the server got last: short links carry it, so it is tried first. */
  port: z.number().int().min(1).max(65_535).optional(),
  window: windowState.optional(),
  ...desktopChoices.partial().shape,
});
export type Preferences = z.output<typeof preferences>;
