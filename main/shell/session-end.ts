import { BaseWindow } from 'electron';

/** Detects the end of the session while the app has no window. */
export interface SessionEndListener {
  listen(): void;
  /** Called when a window opens, which receives the event itself. */
  stop(): void;
}

/** Windows only notifies windows of the end of the session, so an app in the tray keeps a hidden one. */
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
