import { EventEmitter } from 'node:events';
import type { Session, WebContents } from 'electron';
import type { CDPSession } from 'playwright';
import { mustBeReady } from './app.ts';
import { mayFail } from './settings.ts';

type Used = Pick<
  Session,
  'on' | 'setDevicePermissionHandler' | 'setPermissionCheckHandler' | 'setPermissionRequestHandler'
>;

type Check = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>;
type Permission = Parameters<Check>[1];

const events = new EventEmitter();
let check: Check | null = null;

const defaultSession = {
  on: events.on.bind(events) as unknown as Session['on'],
  setDevicePermissionHandler: () => mayFail('session.setDevicePermissionHandler'),
  setPermissionCheckHandler(handler) {
    check = handler;
  },
  setPermissionRequestHandler: () => {},
} satisfies Used;

export const session = {
  get defaultSession() {
    mustBeReady('Session can only be received when app is ready');
    return defaultSession;
  },
};

/** Electron's names of permissions, and Chromium's own. */
const permissions: [Permission, { name: string; allowWithoutSanitization?: boolean }][] = [
  ['clipboard-read', { name: 'clipboard-read' }],
  ['clipboard-sanitized-write', { name: 'clipboard-write' }],
  ['geolocation', { name: 'geolocation' }],
  ['media', { name: 'camera' }],
  ['media', { name: 'microphone' }],
  ['notifications', { name: 'notifications' }],
  ['midi', { name: 'midi' }],
  ['local-network-access', { name: 'local-network-access' }],
  ['loopback-network', { name: 'loopback-network' }],
];

/** Gives the page the permissions that the app's handler would: all of them while it has none. */
export async function applyPermissions(line: CDPSession, origin: string): Promise<void> {
  for (const [name, permission] of permissions) {
    // Of the contents and the details the app's handler looks at nothing.
    const isGiven = check ? check({} as WebContents, name, origin, {} as Parameters<Check>[3]) : true;
    await line.send('Browser.setPermission', {
      permission,
      setting: isGiven ? 'granted' : 'denied',
      origin,
    });
  }
}

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
