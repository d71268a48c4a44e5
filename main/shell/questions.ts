import type { BrowserWindow, Dialog, MessageBoxOptions } from 'electron';

/** Message boxes that never delay a shutdown or logout. */
export interface Questions {
  /** The index of the button pressed; undefined if the box was closed because the session is ending. */
  ask(options: MessageBoxOptions): Promise<number | undefined>;
  /** Closes the open boxes and shows no more, because the session is ending. */
  close(): void;
}

interface QuestionsOptions {
  dialog: Pick<Dialog, 'showMessageBox'>;
  window: () => BrowserWindow | undefined;
}

/** Shows boxes attached to the window if there is one: on macOS a box without a window blocks the app. */
export function questions({ dialog, window }: QuestionsOptions): Questions {
  const end = new AbortController();
  const { signal } = end;
  return {
    async ask(options) {
      if (signal.aborted) return undefined;
      const before = window();
      const asked = { ...options, signal };
      const { response } = await (before
        ? dialog.showMessageBox(before, asked)
        : dialog.showMessageBox(asked));
      return signal.aborted ? undefined : response;
    },
    close: () => end.abort(),
  };
}
