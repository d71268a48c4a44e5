import type { Rectangle } from 'electron';

/** What the stand-in tells the test, in the order in which it happened. */
export type Told =
  /** Chromium has started, and can be reached at this DevTools address. */
  | { type: 'browser'; endpoint: string }
  /** The page can be reached at this DevTools address. */
  | { type: 'window'; endpoint: string; icon: string | undefined }
  /** The app has begun to open a window, of this size. */
  | { type: 'opening'; bounds: Rectangle }
  /** The app has a window that is never shown. */
  | { type: 'unseen-window' }
  /** The app wants to be asked by the system for addresses of this scheme. */
  | { type: 'scheme'; scheme: string }
  /** A window came to be seen, and whether it had anything to show by then. */
  | { type: 'seen'; isDrawn: boolean }
  | { type: 'focused' }
  | { type: 'server'; pid: number }
  | { type: 'opened'; address: string }
  | { type: 'copied'; text: string }
  /** The bytes as base64. */
  | { type: 'copied-picture'; png: string }
  | { type: 'asked'; message: string; detail: string }
  | { type: 'asked-where'; name: string }
  /** The box that Electron has for errors before and after everything else. */
  | { type: 'error-box'; title: string; content: string }
  /** What nobody caught: Electron would show a box of its own, and live on. */
  | { type: 'uncaught'; message: string }
  | { type: 'unhandled'; message: string }
  /** A window was to be closed, perhaps with the app, and has stayed; it can be asked again. */
  | { type: 'stayed' }
  /** All windows are closed, and the app is told that it ends. */
  | { type: 'quitting' }
  | { type: 'exit'; code: number }
  | { type: 'path'; name: string; path: string }
  | { type: 'identity'; name: 'app' | 'toast'; id: string }
  | { type: 'shown-file'; path: string }
  /** The page asked the network for something; it got nothing. */
  | { type: 'requested'; address: string }
  | { type: 'download'; address: string; denied: boolean }
  | { type: 'popup'; address: string }
  /** The app sits in the tray; the file that its picture came from. */
  | { type: 'tray'; picture: string }
  | { type: 'menu'; ids: string[]; roles: string[] }
  /** A menu came up where the mouse is. */
  | { type: 'popped-up'; roles: string[] }
  | { type: 'notified'; title: string; body: string }
  /** The keys that the app has all over the system; none after they were given back. */
  | { type: 'keys'; accelerator: string | undefined };

/** What the test wants done as a person, or the system, would. */
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
  /** Where the next files are saved; nowhere when it is left out, as when the question is closed. */
  | { type: 'save-at'; path?: string }
  /** Which button the next dialogs are answered with; they stay open when it is left out. */
  | { type: 'answer'; button?: number };

/** Only a process that a test has started has a channel; a start by hand is silent. */
export function tell(told: Told): void {
  if (process.connected) process.send?.(told);
}

export function onOrder(listener: (order: Order) => void): void {
  process.on('message', (order) => listener(order as Order));
}
