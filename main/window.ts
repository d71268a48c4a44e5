import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { LogFile } from './log-file.ts';
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
  /** Every new document, and the end of the last one: what the one before has asked for is of no use any more. */
  onNewDocument: () => void;
}

/** The backgrounds of the page's two themes, so that the window does not flash before the page has drawn itself. */
const BACKGROUND = { light: '#ffffff', dark: '#18181b' };

/** A page that dies again this soon after it was loaded anew stays dead: loading it once more would be a loop. */
const RELOAD_AFTER = 10_000;

/** Opens the one window. */
export function mainWindow(options: MainWindowOptions): BrowserWindow {
  const { page, preload, version, isDevelopment, log, state, onNewDocument } = options;
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
  keepOnPage(window.webContents, log);
  if (last?.maximized) window.maximize();

  window.once('ready-to-show', () => window.show());
  window.on('close', () => {
    state.keep({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  });
  window.on('closed', onNewDocument);
  window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) onNewDocument();
  });
  reloadAfterCrash(window, log);
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

function reloadAfterCrash(window: BrowserWindow, log: LogFile): void {
  let reloaded = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    log.note('the page died', { reason });
    const now = performance.now();
    if (now - reloaded < RELOAD_AFTER || window.isDestroyed()) return;
    reloaded = now;
    window.webContents.reload();
  });
}
