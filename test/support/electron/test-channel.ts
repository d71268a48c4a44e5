import type { Rectangle } from 'electron';

/** Messages of the fake to the test, in order. */
export type Told =
  /** Chromium has started, and can be reached at this DevTools address. */
  | { type: 'browser'; endpoint: string }
  /** The page can be reached at this DevTools address. */
  | { type: 'window'; endpoint: string; icon: string | undefined }
  /** The app has started to open a window of this size. */
  | { type: 'opening'; bounds: Rectangle }
  /** The app has a window that never becomes visible. */
  | { type: 'unseen-window' }
  /** The app registered as the handler of this scheme. */
  | { type: 'scheme'; scheme: string }
  /** A window became visible, and whether it had content by then. */
  | { type: 'seen'; isDrawn: boolean }
  | { type: 'focused' }
  | { type: 'server'; pid: number }
  | { type: 'opened'; address: string }
  | { type: 'copied'; text: string }
  /** The bytes as base64. */
  | { type: 'copied-picture'; png: string }
  | { type: 'asked'; message: string; detail: string }
  | { type: 'asked-where'; name: string }
  /** Electron's dialog for errors before and after everything else. */
  | { type: 'error-box'; title: string; content: string }
  /** An uncaught error: Electron would show its own dialog, and keep running. */
  | { type: 'uncaught'; message: string }
  | { type: 'unhandled'; message: string }
  /** A window refused to close, perhaps with the app; it can be asked again. */
  | { type: 'stayed' }
  /** All windows are closed, and the app is notified of its end. */
  | { type: 'quitting' }
  | { type: 'exit'; code: number }
  | { type: 'path'; name: string; path: string }
  | { type: 'identity'; name: 'app' | 'toast'; id: string }
  | { type: 'shown-file'; path: string }
  /** The page requested something from the network and got nothing. */
  | { type: 'requested'; address: string }
  | { type: 'download'; address: string; denied: boolean }
  | { type: 'popup'; address: string }
  /** The app is in the tray; the file of its icon. */
  | { type: 'tray'; picture: string }
  | { type: 'menu'; ids: string[]; roles: string[] }
  /** A context menu opened. */
  | { type: 'popped-up'; roles: string[] }
  | { type: 'notified'; title: string; body: string }
  /** The app's global shortcut; none after it was released. */
  | { type: 'keys'; accelerator: string | undefined };

/** Commands by the test, acting as the user or the system. */
export type Order =
  | { type: 'quit' }
  | { type: 'close-window' }
  | { type: 'move-window'; bounds: Rectangle }
  | { type: 'activate' }
  | { type: 'click-menu'; id: string }
  | { type: 'click-tray' }
  | { type: 'copy'; text: string }
  | { type: 'press-keys' }
  | { type: 'open-url'; address: string }
  | { type: 'system-ends' }
  /** V8 gives up in the server's process. */
  | { type: 'server-fails' }
  /** Where the next files are saved; omitted: the dialog is cancelled. */
  | { type: 'save-at'; path?: string }
  /** The button for the next dialogs; omitted: they stay open. */
  | { type: 'answer'; button?: number };

/** Only a process that a test has started has a channel; a start by hand is silent. */
export function tell(told: Told): void {
  if (process.connected) process.send?.(told);
}

export function onOrder(listener: (order: Order) => void): void {
  process.on('message', (order) => listener(order as Order));
}
