import { mostUntold, type Preferences } from '../storage/preferences.ts';
import type { Questions } from './questions.ts';

interface DamageReportOptions {
  /** Messages about files that this start could not read. */
  found: readonly string[];
  remembered: { read(): Preferences };
  remember: (change: Partial<Preferences>) => void;
  ask: Questions['ask'];
}

/**
 * Creates a function that reports unreadable files once. The messages are stored until the user has seen them: a start
 * at login may end before the window is opened, and the next start finds only the files that were set aside.
 */
export function damageReport({ found, remembered, remember, ask }: DamageReportOptions): () => Promise<void> {
  // Report damage only once even if it recurs at every start.
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
    // A dialog closed by the end of the session may not have been seen.
    if (answer !== undefined) remember({ untold: undefined });
  };
}
