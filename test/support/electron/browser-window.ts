import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, BrowserWindow as ElectronWindow, Rectangle } from 'electron';
import { app, lastWindowClosed } from './app.ts';
import { endpoint } from './browser.ts';
import { addWindow } from './open-windows.ts';
import { tellSessionEnd } from './session-end.ts';
import { mayFail, settings } from './settings.ts';
import { onOrder, tell } from './test-channel.ts';
import { type StandInContents, webContents } from './web-contents.ts';

type Used = Pick<
  ElectronWindow,
  | 'close'
  | 'destroy'
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

/** The number of windows so far. */
let opened = 0;

/** A window is a page of Chromium with a size; its position on a screen is only remembered. */
export class BrowserWindow implements Omit<Used, 'on' | 'once'> {
  readonly #contents: StandInContents;
  readonly #events = new EventEmitter();
  #bounds: Rectangle;
  #isMaximized = false;
  #isDestroyed = false;
  #isClosing = false;
  #isDrawn = false;
  #isShown = false;

  // As with `app`: one listener type for all events versus Electron's overloads.
  readonly on = this.#events.on.bind(this.#events) as unknown as ElectronWindow['on'];
  readonly once = this.#events.once.bind(this.#events) as unknown as ElectronWindow['once'];

  constructor(options: BrowserWindowConstructorOptions = {}) {
    mayFail('BrowserWindow');
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    const { x = 100, y = 100, width = 800, height = 600, webPreferences = {} } = options;
    const { sandbox, contextIsolation, nodeIntegration, preload, additionalArguments } = webPreferences;
    if (!preload || !sandbox || !contextIsolation || nodeIntegration) {
      throw new Error('The stand-in opens only sandboxed, isolated windows with a preload script.');
    }
    this.#bounds = { x, y, width, height };
    tell({ type: 'opening', bounds: this.#bounds });
    onOrder((order) => {
      if (order.type === 'move-window' && !this.#isDestroyed) this.#bounds = order.bounds;
    });
    opened += 1;
    const isDrawable = opened > (settings.undrawnWindows ?? 0);
    this.#contents = webContents(preload, additionalArguments ?? [], { width, height });
    const removeWindow = addWindow(() => void this.#close());
    this.#events.once('closed', removeWindow);
    const icon = typeof options.icon === 'string' ? options.icon : undefined;
    tellSessionEnd(this, this.#events);
    // Synchronous: the page starts loading, and announces it once.
    void this.#contents.opened.then((page) => {
      page.on('close', () => {
        if (!this.#isClosing) void this.#close();
      });
      page.once('domcontentloaded', () => {
        if (!isDrawable) return;
        this.#isDrawn = true;
        this.#events.emit('ready-to-show');
        tell({ type: 'window', endpoint: endpoint(), icon });
      });
    });
  }

  get webContents(): StandInContents {
    this.#mustExist();
    return this.#contents;
  }

  loadURL(address: string): Promise<void> {
    this.#mustExist();
    return this.#contents.load(address);
  }

  show(): void {
    this.#mustExist();
    this.#isShown = true;
    tell({ type: 'seen', isDrawn: this.#isDrawn });
    this.#events.emit('show');
  }

  close(): void {
    this.#mustExist();
    void this.#close();
  }

  /** Closes without asking the page or emitting `close`. */
  destroy(): void {
    this.#mustExist();
    this.#end();
    void this.#contents.discard();
  }

  focus(): void {
    this.#mustExist();
    tell({ type: 'focused' });
  }

  /** Shows the window as well, if it is not shown yet. */
  maximize(): void {
    this.#mustExist();
    this.#isMaximized = true;
    if (!this.#isShown) this.show();
  }

  restore(): void {
    this.#mustExist();
  }

  isMaximized(): boolean {
    this.#mustExist();
    return this.#isMaximized;
  }

  isMinimized(): boolean {
    this.#mustExist();
    return false;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  getNormalBounds(): Rectangle {
    this.#mustExist();
    return this.#bounds;
  }

  /** After its end, only `isDestroyed` can be called on a window. */
  #mustExist(): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
  }

  /** A page that refuses to close keeps its window. */
  async #close(): Promise<void> {
    if (this.#isDestroyed) return;
    this.#events.emit('close', { preventDefault() {} });
    // Chromium treats this as part of the current attempt, and does not ask the page again.
    if (this.#isClosing) return;
    this.#isClosing = true;
    const isGone = await this.#contents.unload();
    this.#isClosing = false;
    if (isGone) this.#end();
    else if (!this.#isDestroyed) tell({ type: 'stayed' });
  }

  #end(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#events.emit('closed');
    lastWindowClosed();
  }
}
