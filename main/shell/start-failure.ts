import { appendFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Dialog } from 'electron';
import { makeFolder } from '../storage/make-folder.ts';

interface StartFailureOptions {
  dialog: Pick<Dialog, 'showErrorBox'>;
  /** The app's folder; may throw. */
  folder: () => string;
  now: () => Date;
  /**
   * Resolves when Electron can show a dialog; earlier, Linux only prints to the terminal, where the user may not look.
   */
  ready: () => Promise<unknown>;
  exit: (code: number) => void;
}

/**
 * Creates a handler for fatal startup errors: shows the message, logs the stack and exits with 1. Otherwise Electron
 * would keep running without a window and lock the data folder.
 */
export function startFailure({
  dialog,
  folder,
  now,
  ready,
  exit,
}: StartFailureOptions): (error: unknown) => void {
  return (error) => {
    const failure = error instanceof Error ? error : new Error(String(error));
    const log = written(folder, now, failure);
    void ready().then(() => {
      dialog.showErrorBox(
        'Waypost could not start',
        `${failure.message}\n\n${log ? `The full error is in ${log}.` : 'The log file could not be written either.'}`,
      );
      exit(1);
    });
  };
}

/** Writes synchronously, because the app exits right after. Returns the path of the log, or undefined on failure. */
function written(folder: () => string, now: () => Date, { stack, message }: Error): string | undefined {
  try {
    const path = join(folder(), 'logs', 'waypost.log');
    makeFolder(dirname(path));
    // Opening a pipe would block.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return undefined;
    const line = {
      time: now().toISOString(),
      from: 'desktop',
      message: 'the app could not start',
      stack: stack ?? message,
    };
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    return path;
  } catch {
    // The disk may be the cause of the failure.
    return undefined;
  }
}
