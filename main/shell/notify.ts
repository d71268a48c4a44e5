import { Notification } from 'electron';
import type { LogFile } from '../server/log-file.ts';

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** For what the person has just asked for: no sound. */
  readonly quiet?: boolean;
}

/** Shows one of the system's notifications. */
export type Notify = (notice: Notice) => void;

interface NotificationsOptions {
  /** What a click on any of them does: the window comes to the front. */
  onClick: () => void;
  /** What the system does not show has to be said in another place. */
  onNotShown: (notice: Notice) => void;
  log: LogFile;
}

export function notifications({ onClick, onNotShown, log }: NotificationsOptions): Notify {
  // A notification that nothing refers to can be collected, and its click with it.
  const shown = new Set<Notification>();
  return (notice) => {
    const { title, body, quiet = false } = notice;
    if (!Notification.isSupported()) {
      log.note('the system shows no notifications', { title });
      onNotShown(notice);
      return;
    }
    const notification = new Notification({ title, body, silent: quiet });
    shown.add(notification);
    notification.on('close', () => shown.delete(notification));
    // macOS shows none of a program without a signature.
    notification.on('failed', (_event, why) => {
      shown.delete(notification);
      log.note('the system showed no notification', { why });
      onNotShown(notice);
    });
    notification.on('click', () => {
      shown.delete(notification);
      onClick();
    });
    notification.show();
  };
}
