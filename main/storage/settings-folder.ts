import { accessSync, constants } from 'node:fs';
import { makeFolder } from './make-folder.ts';

/**
 * Makes the folder of the app's settings if it is missing. Throws an error in a sentence where this user may not write
 * there: Electron would take it for a second start, and end without a word.
 */
export function makeSettingsFolder(folder: string): void {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    makeFolder(folder);
    accessSync(folder, R_OK | W_OK | X_OK);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(
      `Waypost keeps its settings in ${folder}, and cannot write there (${code}). Give your user access to that folder, or start Waypost with --user-data-dir=FOLDER to keep them in another one.`,
    );
  }
}
