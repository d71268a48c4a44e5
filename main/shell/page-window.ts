import type { BrowserWindow, WebContents } from 'electron';
import type { Command } from '../../preload/contract.ts';
import { type Push, pushTo } from './ipc.ts';
import { focusWindow } from './window.ts';

/** The app's single window, open or not, and its page. */
export interface PageWindow {
  /** Opens or focuses the window. Does nothing once the app is exiting. */
  show(): void;
  /** Undefined if the window is closed. */
  find(): BrowserWindow | undefined;
  findPage(): WebContents | undefined;
  /** Sends an event to the page, if there is one. */
  readonly push: Push;
  /** Shows the page and sends it a command. */
  send(command: Command): void;
}

interface PageWindowOptions {
  open: () => BrowserWindow;
  /** Whether the app is exiting: the tray and the Dock stay clickable until the very end. */
  isEnding: () => boolean;
}

export function pageWindow({ open, isEnding }: PageWindowOptions): PageWindow {
  let window: BrowserWindow | undefined;
  const find = () => (window && !window.isDestroyed() ? window : undefined);
  const findPage = () => find()?.webContents;
  const push = pushTo(findPage);

  function show(): void {
    if (isEnding()) return;
    const opened = find();
    if (opened) focusWindow(opened);
    else window = open();
  }

  return {
    show,
    find,
    findPage,
    push,
    send(command) {
      show();
      push('command', command);
    },
  };
}
