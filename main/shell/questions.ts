import type { BrowserWindow, Dialog, MessageBoxOptions } from 'electron';

/** Boxes of the system with buttons. None of them may hold up the end of the system. */
export interface Questions {
  /** Which button was pressed; undefined where the question was closed because the system ends. */
  ask(options: MessageBoxOptions): Promise<number | undefined>;
  /** Closes what is asked at the moment and asks nothing any more: nobody is there to answer. */
  close(): void;
}

interface QuestionsOptions {
  dialog: Pick<Dialog, 'showMessageBox'>;
  window: () => BrowserWindow | undefined;
}

/** Asks in front of the window, where there is one: on macOS everything stands still for a box that has none. */
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
