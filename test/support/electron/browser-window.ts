import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, BrowserWindow as ElectronWindow, Rectangle } from 'electron';
import { lastWindowClosed } from './app.ts';
import { endpoint } from './browser.ts';
import { addWindow } from './open-windows.ts';
import { tell } from './test-channel.ts';
import { type StandInContents, webContents } from './web-contents.ts';

type Used = Pick<
  ElectronWindow,
  | 'focus'
  | 'getNormalBounds'
  | 'isDestroyed'
  | 'isMaximized'
  | 'isMinimized'
  | 'loadURL'
  | 'maximize'
  | 'on'
  | 'once'
  | 'restore'
  | 'show'
>;

/** A window is a page of Chromium with a size; where it is on which screen is only remembered. */
export class BrowserWindow implements Omit<Used, 'on' | 'once'> {
  readonly webContents: StandInContents;
  readonly #events = new EventEmitter();
  readonly #bounds: Rectangle;
  #isMaximized = false;
  #isDestroyed = false;

  // As with `app`: an emitter's one listener type against Electron's overloads.
  readonly on = this.#events.on.bind(this.#events) as unknown as ElectronWindow['on'];
  readonly once = this.#events.once.bind(this.#events) as unknown as ElectronWindow['once'];

  constructor(options: BrowserWindowConstructorOptions = {}) {
    const { x = 100, y = 100, width = 800, height = 600, webPreferences = {} } = options;
    const { sandbox, contextIsolation, nodeIntegration, preload, additionalArguments } = webPreferences;
    if (!preload || !sandbox || !contextIsolation || nodeIntegration) {
      throw new Error('The stand-in opens only sandboxed, isolated windows with a preload script.');
    }
    this.#bounds = { x, y, width, height };
    this.webContents = webContents(preload, additionalArguments ?? []);
    const removeWindow = addWindow(() => this.#close());
    this.#events.once('closed', removeWindow);
    void this.webContents.opened.then(async (page) => {
      await page.setViewportSize({ width, height });
      page.on('close', () => void this.#close().then(lastWindowClosed));
      page.once('domcontentloaded', () => {
        this.#events.emit('ready-to-show');
        tell({ type: 'window', endpoint: endpoint() });
      });
    });
  }

  loadURL(address: string): Promise<void> {
    return this.webContents.load(address);
  }

  show(): void {}

  focus(): void {
    tell({ type: 'focused' });
  }

  maximize(): void {
    this.#isMaximized = true;
  }

  restore(): void {}

  isMaximized(): boolean {
    return this.#isMaximized;
  }

  isMinimized(): boolean {
    return false;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  getNormalBounds(): Rectangle {
    return this.#bounds;
  }

  async #close(): Promise<void> {
    if (this.#isDestroyed) return;
    this.#events.emit('close', { preventDefault() {} });
    this.#isDestroyed = true;
    const page = await this.webContents.opened;
    if (!page.isClosed()) await page.close();
    this.#events.emit('closed');
  }
}
