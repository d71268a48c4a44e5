import type { EventEmitter } from 'node:events';
import { mayCutOff, settings } from './settings.ts';
import { onOrder } from './test-channel.ts';

/** Windows kills what still runs so long after the end of the session. Milliseconds. */
const PATIENCE = 60_000;

/** Windows notifies windows, visible or not, and nobody else (docs, base-window, "session-end"). */
export function tellSessionEnd(window: { isDestroyed(): boolean }, events: EventEmitter): void {
  onOrder((order) => {
    if (order.type !== 'system-ends' || settings.platform !== 'win32' || window.isDestroyed()) return;
    const details = { defaultPrevented: false, reasons: ['shutdown'], preventDefault };
    events.emit('query-session-end', details);
    mayCutOff('query');
    // Delayed: the session continues until the app has exited or the user ends it anyway.
    if (details.defaultPrevented) return;
    events.emit('session-end', { reasons: ['shutdown'], preventDefault() {} });
    mayCutOff('end');
  });
}

onOrder((order) => {
  if (order.type !== 'system-ends' || settings.platform !== 'win32') return;
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE).unref();
});

function preventDefault(this: { defaultPrevented: boolean }): void {
  this.defaultPrevented = true;
}
