import type { Session, WebContents } from 'electron';
import type { LogFile } from './log-file.ts';

/** What of a page is guarded. */
type Guarded = Pick<WebContents, 'on' | 'setWindowOpenHandler'>;

/**
 * The page goes nowhere and opens nothing: it is one document whose routes change without navigation. Whatever a
 * hostile instance makes it try ends here (security.md, T-31).
 */
export function keepOnPage(contents: Guarded, log: LogFile): void {
  // The address may hold what a person typed, so the log says only what was tried.
  const deny = (what: string) => (event: { preventDefault(): void }) => {
    event.preventDefault();
    log.note(`refused: ${what}`);
  };
  contents.on('will-navigate', deny('leaving the page'));
  contents.on('will-frame-navigate', deny('navigating a frame'));
  contents.on('will-redirect', deny('following a redirect'));
  contents.on('will-attach-webview', deny('embedding a web view'));
  contents.setWindowOpenHandler(() => {
    log.note('refused: opening a window');
    return { action: 'deny' };
  });
}

/**
 * No permission is ever given: not the camera, nor notifications, nor the clipboard, which has a call of its own.
 * The only downloads are files that the page itself has made (an export, a QR code); the system asks where to.
 */
export function denyPermissions(
  session: Pick<
    Session,
    'on' | 'setDevicePermissionHandler' | 'setPermissionCheckHandler' | 'setPermissionRequestHandler'
  >,
  pageOrigin: string,
  log: LogFile,
): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    log.note('refused: a permission', { permission });
    answer(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    if (item.getURL().startsWith(`blob:${pageOrigin}/`)) return;
    event.preventDefault();
    log.note('refused: a download');
  });
}
