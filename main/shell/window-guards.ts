import type { Session, WebContents } from 'electron';
import type { LogFile } from '../server/log-file.ts';

/** What of a page is guarded. */
type Guarded = Pick<WebContents, 'on' | 'setWindowOpenHandler'>;

interface Navigation {
  readonly url: string;
  readonly isMainFrame: boolean;
  preventDefault(): void;
}

/**
 * The page goes nowhere and opens nothing: it is one document whose routes change without navigation. Whatever a
 * hostile instance makes it try ends here (T-31). It may load itself anew, which the system asks about as
 * about any other address: after a restored backup what it knows is of another instance.
 */
export function keepOnPage(contents: Guarded, isPage: (address: string) => boolean, log: LogFile): void {
  // The address may hold what a person typed, so the log says only what was tried.
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

/** What Chromium wants before a page may open a socket to a program of this computer, as the development server is. */
export const ofSourceServer: readonly string[] = ['local-network-access', 'loopback-network'];

/**
 * No permission is ever given, but for `given`, which is empty in a package: not the camera, nor notifications, nor the
 * clipboard, which has calls of its own. Nothing is downloaded either: files that the page has made are saved by a call
 * that asks where to (see save-file.ts).
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
