import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { LogFile } from '../server/log-file.ts';
import { addContextMenu } from './context-menu.ts';
import type { Questions } from './questions.ts';
import { keepOnPage } from './window-guards.ts';
import { minimumSize, placeWindow, type WindowState } from './window-state.ts';

interface MainWindowOptions {
  /** The address of the page. */
  page: string;
  preload: string;
  version: string;
  isDevelopment: boolean;
  log: LogFile;
  state: { read(): WindowState | undefined; keep(state: WindowState): void };
  /** Whether a document of this address is the page. */
  isPage: (address: string) => boolean;
  leaving: Leaving;
  /** The system ends (Windows). */
  onSystemEnd: () => void;
  /** A picture for the title bar and the bar of windows; macOS has none there. */
  icon: string | undefined;
  /** Every new document, and the end of the last one: what the one before has asked for is of no use any more. */
  onNewDocument: () => void;
}

interface Leaving {
  /** Whether somebody is there to be asked. */
  mayAsk: () => boolean;
  ask: Questions['ask'];
  /** Whether the window was to be closed with the whole app. */
  isQuitting: () => boolean;
  quit: () => void;
  /** The window stays open although it was to be closed, perhaps with the whole app. */
  onStay: () => void;
}

/** The backgrounds of the page's two themes, so that the window does not flash before the page has drawn itself. */
const BACKGROUND = { light: '#ffffff', dark: '#18181b' };

/**
 * A page that dies again this soon after it was loaded anew stays dead: loading it once more by itself would be a loop.
 */
const RELOAD_AFTER = 10_000;

/** Opens the one window. */
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
      // Chromium would fetch dictionaries from the internet.
      spellcheck: false,
      additionalArguments: [`--waypost-version=${version}`],
    },
  });
  keepOnPage(window.webContents, isPage, log);

  window.once('ready-to-show', () => {
    // This shows it as well, which before now would be an empty window.
    if (last?.maximized) window.maximize();
    window.show();
  });
  const keepState = () => state.keep({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  window.on('close', keepState);
  // Windows may leave no time for anything after it has asked.
  window.on('query-session-end', keepState);
  window.on('closed', onNewDocument);
  window.on('session-end', onSystemEnd);
  addContextMenu(window.webContents);
  askBeforeLeaving(window, leaving);
  // Not when a navigation starts: that comes before it is refused, and the page stays and waits for its answers.
  window.webContents.on('did-navigate', onNewDocument);
  reloadAfterCrash(window, page, log, leaving);
  window.loadURL(page).catch((error: Error) => {
    log.note('the page could not be loaded', { why: error.message });
  });
  return window;
}

/** Brings the window to the front, wherever it was. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/**
 * A page with something under way does not want to go. A browser asks the person then; Electron asks nobody, and the
 * window could never be closed. Electron wants to know at once, and a box that it waits for would stop the task itself,
 * and the end of the system: so the page stays for now, and what was wanted is done once somebody says so.
 */
function askBeforeLeaving(window: BrowserWindow, { mayAsk, ask, isQuitting, quit, onStay }: Leaving): void {
  let mayLeave = false;
  let isAsking = false;
  let isClosing = false;
  let leave = () => {};
  // It comes before the page is asked; a reload has none.
  window.on('close', () => {
    isClosing = true;
  });
  window.webContents.on('did-navigate', () => {
    mayLeave = false;
  });
  window.webContents.on('will-prevent-unload', (event) => {
    if (mayLeave || !mayAsk()) {
      // Here this means that the page is not listened to.
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

/** Where even a second try is of no use, somebody has to be told: the window may never have been shown. */
function reloadAfterCrash(window: BrowserWindow, page: string, log: LogFile, { mayAsk, ask }: Leaving): void {
  let reloaded = Number.NEGATIVE_INFINITY;
  let hasLoaded = false;
  window.webContents.on('did-navigate', () => {
    hasLoaded = true;
  });
  function loadAnew(): void {
    if (window.isDestroyed()) return;
    reloaded = performance.now();
    // Of a window that never had a page there is none to be loaded anew.
    if (hasLoaded) window.webContents.reload();
    // What comes of it is told by the page's own end.
    else window.loadURL(page).catch(() => {});
  }
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    log.note('the page died', { reason });
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
