import { EventEmitter } from 'node:events';
import type { PermissionRequest, Session, WebContents } from 'electron';
import type { CDPSession } from 'playwright';
import { mustBeReady } from './app.ts';
import { mayFail } from './settings.ts';

type Used = Pick<
  Session,
  'on' | 'setDevicePermissionHandler' | 'setPermissionCheckHandler' | 'setPermissionRequestHandler'
>;

type Check = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>;
type Permission = Parameters<Check>[1];
type Asked = Parameters<NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>>[1];

const events = new EventEmitter();
let check: Check | null = null;
let answer: Parameters<Session['setPermissionRequestHandler']>[0] = null;

const defaultSession = {
  on: events.on.bind(events) as unknown as Session['on'],
  setDevicePermissionHandler: () => mayFail('session.setDevicePermissionHandler'),
  setPermissionCheckHandler(handler) {
    check = handler;
  },
  setPermissionRequestHandler(handler) {
    answer = handler;
  },
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

/** Permissions that need both handlers: one to check, and one to request. */
const neededBoth = ['local-network-access', 'loopback-network'];

/**
 * Grants the page what the app's handlers would: everything without handlers. For most permissions, one of the two
 * replies is enough for some use.
 */
export async function applyPermissions(line: CDPSession, origin: string): Promise<void> {
  for (const [name, permission] of permissions) {
    const answers = [isChecked(name, origin), isAnswered(name)];
    const isGiven = neededBoth.includes(name) ? !answers.includes(false) : answers.includes(true);
    await line.send('Browser.setPermission', {
      permission,
      setting: isGiven ? 'granted' : 'denied',
      origin,
    });
  }
}

// The app's handlers do not use the contents and details.
function isChecked(name: Permission, origin: string): boolean {
  return check ? check({} as WebContents, name, origin, {} as Parameters<Check>[3]) : true;
}

function isAnswered(name: Permission): boolean {
  // Electron grants permissions without a handler, and keeps the caller waiting if a handler never replies.
  let isGiven = answer === null;
  const onAnswer = (given: boolean) => {
    isGiven = given;
  };
  answer?.({} as WebContents, name as Asked, onAnswer, {} as PermissionRequest);
  return isGiven;
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
