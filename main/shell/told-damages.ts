import { mostUntold, type Preferences } from '../storage/preferences.ts';
import type { Questions } from './questions.ts';

interface DamageTellerOptions {
  /** What this start could not read, in sentences for a person. */
  found: readonly string[];
  remembered: { read(): Preferences };
  remember: (change: Partial<Preferences>) => void;
  ask: Questions['ask'];
}

/**
 * Makes a function that says what could not be read at the start, once. It is remembered until somebody has seen it: a
 * start at sign-in may end with the system before anyone opens the window, and the next one finds only what was put
 * aside.
 */
export function damageTeller({ found, remembered, remember, ask }: DamageTellerOptions): () => Promise<void> {
  // Something that is damaged at each start is said once.
  const untold = [...new Set([...(remembered.read().untold ?? []), ...found])].slice(-mostUntold);
  if (found.length > 0) remember({ untold: [...untold] });
  return async () => {
    const damages = untold.splice(0);
    if (damages.length === 0) return;
    const answer = await ask({
      type: 'warning',
      message: 'Some settings could not be read',
      detail: `${damages.join('\n\n')}\n\nYour links are not touched by this. Settings of this app, other instances or sign-ins may be missing.`,
      buttons: ['OK'],
    });
    // Closed by the end of the system, it may have been seen by nobody.
    if (answer !== undefined) remember({ untold: undefined });
  };
}
