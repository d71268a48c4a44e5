import { BaseWindow } from 'electron';

/** Hears of the end of the session while the app has no window. */
export interface SessionEndListener {
  listen(): void;
  /** For when there is a window again, which hears of it itself. */
  stop(): void;
}

/**
 * Windows tells windows of the end of the session and nobody else, so an app in the tray keeps one that is never shown.
 */
export function sessionEndListener(platform: NodeJS.Platform, onEnd: () => void): SessionEndListener {
  let unseen: BaseWindow | undefined;
  return {
    listen() {
      if (platform !== 'win32' || unseen) return;
      unseen = new BaseWindow({ show: false, skipTaskbar: true, focusable: false, width: 1, height: 1 });
      unseen.on('session-end', onEnd);
      unseen.on('closed', () => {
        unseen = undefined;
      });
    },
    stop: () => unseen?.destroy(),
  };
}
