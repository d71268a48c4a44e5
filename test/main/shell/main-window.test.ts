import type { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { mainWindow } from '../../../main/shell/window.ts';
import type { WindowState } from '../../../main/shell/window-state.ts';
import { memoryLog } from '../../support/desktop-parts.ts';

/** What the person sees of the windows, in order. */
const seen = vi.hoisted((): string[] => []);
const windows = vi.hoisted((): EventEmitter[] => []);
vi.mock('electron', async () => {
  const { EventEmitter } = await import('node:events');
  return {
    Menu: {},
    nativeTheme: { shouldUseDarkColors: false },
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }] },
    BrowserWindow: class extends EventEmitter {
      readonly webContents = Object.assign(new EventEmitter(), { setWindowOpenHandler() {} });
      #isDrawn = false;
      #isVisible: boolean;
      #isMaximized = false;

      constructor({ show = true }: { show?: boolean }) {
        super();
        windows.push(this);
        this.#isVisible = show;
        if (show) this.#tell();
        this.once('drawn', () => {
          this.#isDrawn = true;
          this.emit('ready-to-show');
        });
      }

      show(): void {
        this.#isVisible = true;
        this.#tell();
      }

      /** Shows the window as well, if it is not shown yet (Electron, BrowserWindow.maximize). */
      maximize(): void {
        this.#isMaximized = true;
        this.#isVisible = true;
        this.#tell();
      }

      loadURL = async () => {};

      #tell(): void {
        if (!this.#isVisible) return;
        seen.push(`${this.#isDrawn ? 'the page' : 'nothing'}${this.#isMaximized ? ', maximized' : ''}`);
      }
    },
  };
});

test.each([
  [true, 'the page, maximized'],
  [false, 'the page'],
])('a window (maximized: %s) is shown once its page is drawn', (maximized, sight) => {
  seen.length = 0;
  openWindow({ bounds: { x: 0, y: 0, width: 1000, height: 700 }, maximized });
  // It would be an empty frame until then.
  expect(seen).toEqual([]);
  windows.at(-1)?.emit('drawn');
  expect(new Set(seen)).toEqual(new Set([sight]));
});

function openWindow(last: WindowState): void {
  mainWindow({
    page: 'app://waypost/admin/',
    preload: '/nowhere',
    version: '0.0.0',
    isDevelopment: false,
    log: memoryLog(),
    state: { read: () => last, keep() {} },
    isPage: () => true,
    leaving: {
      mayAsk: () => false,
      ask: async () => undefined,
      isQuitting: () => false,
      quit() {},
      onStay() {},
    },
    onSystemEnd() {},
    icon: undefined,
    onNewDocument() {},
  });
}
