import { appendFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Dialog } from 'electron';
import { makeFolder } from '../storage/make-folder.ts';

interface StartFailureOptions {
  dialog: Pick<Dialog, 'showErrorBox'>;
  /** Where the app keeps its files; may fail, too. */
  folder: () => string;
  now: () => Date;
  /** Resolves when Electron can show a box: before that, Linux has it in the terminal, where nobody looks. */
  ready: () => Promise<unknown>;
  exit: (code: number) => void;
}

/**
 * Makes a function for an error that the start cannot go on from: the person sees it, the log has it whole, and the
 * app ends with 1. Left alone, Electron would go on without a window and without a word, and hold the data for itself.
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

/** Writes at once: nobody waits for a log that writes when it has time, when the app ends now. */
function written(folder: () => string, now: () => Date, { stack, message }: Error): string | undefined {
  try {
    const path = join(folder(), 'logs', 'waypost.log');
    makeFolder(dirname(path));
    // A pipe in its place would keep us waiting instead of telling.
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
    // The disk may be the very reason.
    return undefined;
  }
}
