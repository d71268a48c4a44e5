import type { EventEmitter } from 'node:events';
import { mayCutOff, settings } from './settings.ts';
import { onOrder } from './test-channel.ts';

/** What is still there so long after the end of the session, Windows ends without asking. Milliseconds. */
const PATIENCE = 60_000;

/** Windows asks and tells its windows, seen or not, and nobody else (docs, base-window, "session-end"). */
export function tellSessionEnd(window: { isDestroyed(): boolean }, events: EventEmitter): void {
  onOrder((order) => {
    if (order.type !== 'system-ends' || settings.platform !== 'win32' || window.isDestroyed()) return;
    const details = { defaultPrevented: false, reasons: ['shutdown'], preventDefault };
    events.emit('query-session-end', details);
    mayCutOff('query');
    // Held up: the session stays until the app has ended or a person ends it all the same.
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
