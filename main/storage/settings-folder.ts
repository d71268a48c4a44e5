import { accessSync, constants } from 'node:fs';
import { makeFolder } from './make-folder.ts';

/**
 * Creates the app's settings folder if missing. Throws an error with a readable message if it is not writable: Electron
 * would mistake that for a second instance and exit silently.
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
