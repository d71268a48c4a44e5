import type { Session, WebContents } from 'electron';
import type { LogFile } from '../server/log-file.ts';

/** The WebContents members that the guards use. */
type Guarded = Pick<WebContents, 'on' | 'setWindowOpenHandler'>;

interface Navigation {
  readonly url: string;
  readonly isMainFrame: boolean;
  preventDefault(): void;
}

/**
 * Blocks all navigation and new windows: the page is a single document whose routes change without navigation, so
 * whatever a hostile instance triggers is stopped here (T-31). Reloading is allowed, for example after restoring a
 * backup, and is checked like any other navigation.
 */
export function keepOnPage(contents: Guarded, isPage: (address: string) => boolean, log: LogFile): void {
  // The address may contain user input, so only the kind of attempt is logged.
  const deny = (what: string) => (event: { preventDefault(): void }) => {
    event.preventDefault();
    log.note(`refused: ${what}`);
  };
  const stay = (what: string) => (details: Navigation) => {
    if (!(details.isMainFrame && isPage(details.url))) deny(what)(details);
  };
  contents.on('will-navigate', stay('leaving the page'));
  contents.on('will-frame-navigate', stay('navigating a frame'));
  contents.on('will-redirect', deny('following a redirect'));
  contents.on('will-attach-webview', deny('embedding a web view'));
  contents.setWindowOpenHandler(() => {
    log.note('refused: opening a window');
    return { action: 'deny' };
  });
}

/** Permissions that Chromium requires to connect to the development server on this computer. */
export const ofSourceServer: readonly string[] = ['local-network-access', 'loopback-network'];

/**
 * Denies all permissions except `given`, which is empty in a packaged app: no camera, notifications or clipboard (which
 * has its own IPC calls). Downloads are blocked too: the page saves files through a call that asks where to (see
 * save-file.ts).
 */
export function denyPermissions(
  session: Pick<
    Session,
    'on' | 'setDevicePermissionHandler' | 'setPermissionCheckHandler' | 'setPermissionRequestHandler'
  >,
  log: LogFile,
  given: readonly string[] = [],
): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    const isGiven = given.includes(permission);
    if (!isGiven) log.note('refused: a permission', { permission });
    answer(isGiven);
  });
  session.setPermissionCheckHandler((_contents, permission) => given.includes(permission));
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => {
    event.preventDefault();
    log.note('refused: a download');
  });
}
