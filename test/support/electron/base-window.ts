import { EventEmitter } from 'node:events';
import type { BaseWindowConstructorOptions, BaseWindow as ElectronWindow } from 'electron';
import { app, lastWindowClosed } from './app.ts';
import { addWindow } from './open-windows.ts';
import { tellSessionEnd } from './session-end.ts';
import { tell } from './test-channel.ts';

/** A window without a page, never shown here. It counts as a window like any other. */
export class BaseWindow implements Pick<ElectronWindow, 'destroy' | 'isDestroyed'> {
  readonly #events = new EventEmitter();
  #isDestroyed = false;
  readonly #remove: () => void;

  // As with `app`: one listener type for all events versus Electron's overloads.
  readonly on = this.#events.on.bind(this.#events) as unknown as ElectronWindow['on'];

  constructor(options: BaseWindowConstructorOptions = {}) {
    if (!app.isReady()) throw new Error('Cannot create BaseWindow before app is ready');
    if (options.show !== false) throw new Error('The stand-in knows base windows that are not shown only.');
    this.#remove = addWindow(() => this.destroy());
    tell({ type: 'unseen-window' });
    tellSessionEnd(this, this.#events);
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#remove();
    this.#events.emit('closed');
    lastWindowClosed();
  }
}
