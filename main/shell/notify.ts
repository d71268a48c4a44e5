import { Notification } from 'electron';
import type { LogFile } from '../server/log-file.ts';

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** For what the person has just asked for: no sound. */
  readonly quiet?: boolean;
}

/** Shows one of the system's notifications; does nothing where the system has none. */
export type Notify = (notice: Notice) => void;

/** `onClick` is what a click on any of them does: the window comes to the front. */
export function notifications(onClick: () => void, log: LogFile): Notify {
  // A notification that nothing refers to can be collected, and its click with it.
  const shown = new Set<Notification>();
  return ({ title, body, quiet = false }) => {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body, silent: quiet });
    shown.add(notification);
    notification.on('close', () => shown.delete(notification));
    // macOS shows none of a program without a signature.
    notification.on('failed', (_event, why) => {
      shown.delete(notification);
      log.note('the system showed no notification', { why });
    });
    notification.on('click', () => {
      shown.delete(notification);
      onClick();
    });
    notification.show();
  };
}
