import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { LogFile } from '../server/log-file.ts';
import { addContextMenu } from './context-menu.ts';
import type { Questions } from './questions.ts';
import { keepOnPage } from './window-guards.ts';
import { minimumSize, placeWindow, type WindowState } from './window-state.ts';

interface MainWindowOptions {
  /** The page's URL. */
  page: string;
  preload: string;
  version: string;
  isDevelopment: boolean;
  log: LogFile;
  state: { read(): WindowState | undefined; keep(state: WindowState): void };
  /** Whether a document's URL is the page. */
  isPage: (address: string) => boolean;
  leaving: Leaving;
  /** Called when the session is ending (Windows). */
  onSystemEnd: () => void;
  /** The icon for the title bar and the taskbar; macOS has none there. */
  icon: string | undefined;
  /**
   * Called for each new document and when the window closes: pending requests of the previous document are obsolete.
   */
  onNewDocument: () => void;
}

interface Leaving {
  /** Whether the user can be asked. */
  mayAsk: () => boolean;
  ask: Questions['ask'];
  /** Whether the window is closing because the app is quitting. */
  isQuitting: () => boolean;
  quit: () => void;
  /** Called when the window stays open after a close or quit was requested. */
  onStay: () => void;
}

/** Background colors of the two themes, to avoid a flash before the first paint. */
const BACKGROUND = { light: '#ffffff', dark: '#18181b' };

/** A page that crashes again this soon after a reload is not reloaded, to avoid a loop. Milliseconds. */
const RELOAD_AFTER = 10_000;

/** Opens the app's window. */
export function mainWindow(options: MainWindowOptions): BrowserWindow {
  const {
    page,
    preload,
    version,
    isDevelopment,
    log,
    state,
    isPage,
    icon,
    leaving,
    onNewDocument,
    onSystemEnd,
  } = options;
  const last = state.read();
  const window = new BrowserWindow({
    ...placeWindow(
      last,
      screen.getAllDisplays().map((display) => display.workArea),
    ),
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    show: false,
    title: 'Waypost',
    ...(icon !== undefined && { icon }),
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      devTools: isDevelopment,
      // Chromium would download dictionaries.
      spellcheck: false,
      additionalArguments: [`--waypost-version=${version}`],
    },
  });
  keepOnPage(window.webContents, isPage, log);

  window.once('ready-to-show', () => {
    // Maximizing also shows the window, which would still be empty earlier.
    if (last?.maximized) window.maximize();
    window.show();
  });
  const keepState = () => state.keep({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  window.on('close', keepState);
  // Windows may kill the app right after this event.
  window.on('query-session-end', keepState);
  window.on('closed', onNewDocument);
  window.on('session-end', onSystemEnd);
  addContextMenu(window.webContents);
  askBeforeLeaving(window, leaving);
  // Not on `did-start-navigation`: a navigation that is then blocked leaves the page waiting for its replies.
  window.webContents.on('did-navigate', onNewDocument);
  reloadAfterCrash(window, page, log, leaving);
  window.loadURL(page).catch((error: Error) => {
    log.note('the page could not be loaded', { why: error.message });
  });
  return window;
}

/** Restores and focuses the window. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/**
 * Handles a page that has unsaved work. Browsers ask the user; Electron just cancels the close without asking. Electron
 * needs an immediate answer, and a synchronous dialog would block the app and a shutdown. So the close is cancelled for
 * now, and repeated once the user confirms.
 */
function askBeforeLeaving(window: BrowserWindow, { mayAsk, ask, isQuitting, quit, onStay }: Leaving): void {
  let mayLeave = false;
  let isAsking = false;
  let isClosing = false;
  let leave = () => {};
  // `close` fires before the page's `beforeunload`; a reload fires no `close`.
  window.on('close', () => {
    isClosing = true;
  });
  window.webContents.on('did-navigate', () => {
    mayLeave = false;
  });
  window.webContents.on('will-prevent-unload', (event) => {
    if (mayLeave || !mayAsk()) {
      // In this event, `preventDefault` overrides the page's objection.
      event.preventDefault();
      return;
    }
    if (isQuitting()) leave = quit;
    else if (isClosing) leave = () => window.close();
    else leave = () => window.webContents.reload();
    isClosing = false;
    onStay();
    if (isAsking) return;
    isAsking = true;
    void ask({
      type: 'question',
      message: 'A task is still running',
      detail: 'An upload, import or copy is still running and will be cancelled.',
      buttons: ['Stay', 'Leave'],
      defaultId: 0,
      cancelId: 0,
    })
      .then((answer) => {
        if (answer !== 1 || window.isDestroyed()) return;
        mayLeave = true;
        leave();
      })
      .finally(() => {
        isAsking = false;
      });
  });
}

/**
 * Reloads a crashed page. If that fails again it shows an error dialog, since the window may never have been visible.
 */
function reloadAfterCrash(window: BrowserWindow, page: string, log: LogFile, { mayAsk, ask }: Leaving): void {
  let reloaded = Number.NEGATIVE_INFINITY;
  let hasLoaded = false;
  window.webContents.on('did-navigate', () => {
    hasLoaded = true;
  });
  function loadAnew(): void {
    if (window.isDestroyed()) return;
    reloaded = performance.now();
    // A window that has never loaded a page cannot be reloaded.
    if (hasLoaded) window.webContents.reload();
    // Failures are handled by the page's own events.
    else window.loadURL(page).catch(() => {});
  }
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    log.note('the page crashed', { reason });
    if (window.isDestroyed()) return;
    if (performance.now() - reloaded >= RELOAD_AFTER) {
      loadAnew();
      return;
    }
    if (!mayAsk()) return;
    window.show();
    void ask({
      type: 'error',
      message: 'The window stopped working',
      detail:
        'It ended twice within seconds. Your short links work as long as Waypost runs. See the log file for the reason.',
      buttons: ['Try again', 'Close window'],
      defaultId: 0,
      cancelId: 1,
    }).then((answer) => {
      if (answer === 0) loadAnew();
      else if (answer === 1 && !window.isDestroyed()) window.close();
    });
  });
}
