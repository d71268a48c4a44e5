import { EventEmitter } from 'node:events';
import type { Session } from 'electron';

type Used = Pick<
  Session,
  'on' | 'setDevicePermissionHandler' | 'setPermissionCheckHandler' | 'setPermissionRequestHandler'
>;

const events = new EventEmitter();

/** Chromium under Playwright asks nobody for permissions; that the handlers refuse is tested where they are. */
export const session = {
  defaultSession: {
    on: events.on.bind(events) as unknown as Session['on'],
    setDevicePermissionHandler: () => {},
    setPermissionCheckHandler: () => {},
    setPermissionRequestHandler: () => {},
  } satisfies Used,
};

/** Whether the app lets a download happen. */
export function allowsDownload(address: string): boolean {
  let isAllowed = true;
  const event = {
    preventDefault() {
      isAllowed = false;
    },
  };
  events.emit('will-download', event, { getURL: () => address }, undefined, null);
  return isAllowed;
}
