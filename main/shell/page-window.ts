import type { BrowserWindow, WebContents } from 'electron';
import type { Command } from '../../preload/contract.ts';
import { type Push, pushTo } from './ipc.ts';
import { focusWindow } from './window.ts';

/** The one window, whether it is open or not, and the page in it. */
export interface PageWindow {
  /** Opens it, or brings it to the front. Does nothing once the app is on its last way. */
  show(): void;
  /** Undefined while there is none. */
  find(): BrowserWindow | undefined;
  findPage(): WebContents | undefined;
  /** Tells the page something, if there is one. */
  readonly push: Push;
  /** Shows the page and has it do something. */
  send(command: Command): void;
}

interface PageWindowOptions {
  open: () => BrowserWindow;
  /** Whether the app ends: the tray and the Dock are there until the very last. */
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
