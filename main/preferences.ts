import { z } from 'zod';
import { windowState } from './window-state.ts';

/** The port that the server tries when it has never run (decisions, section 8). */
export const defaultPort = 8420;

/** What the desktop remembers of itself from one start to the next. */
export const preferences = z.object({
  /** The port that the server got last: short links carry it, so it is tried first. */
  port: z.number().int().min(1).max(65_535).optional(),
  window: windowState.optional(),
});
export type Preferences = z.output<typeof preferences>;
