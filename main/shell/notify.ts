import { Notification } from 'electron';
import type { LogFile } from '../server/log-file.ts';

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Without sound, for the result of something the user has just done. */
  readonly quiet?: boolean;
}

/** Shows a system notification. */
export type Notify = (notice: Notice) => void;

interface NotificationsOptions {
  /** Called when a notification is clicked, to focus the window. */
  onClick: () => void;
  /** Called if the system does not show the notification, so that it can be shown elsewhere. */
  onNotShown: (notice: Notice) => void;
  log: LogFile;
}

export function notifications({ onClick, onNotShown, log }: NotificationsOptions): Notify {
  // Keep references: a notification that is garbage-collected loses its click handler.
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
    // macOS rejects notifications from unsigned programs.
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
