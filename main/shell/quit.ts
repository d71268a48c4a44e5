import type { App, PowerMonitor } from 'electron';

interface Ending {
  /** Whether the app is on its last way: nothing is opened any more. */
  isUnderWay(): boolean;
}

/**
 * Lets the app end only after `finish` has: the server must not be cut off in the middle of what it does. The end of the
 * whole system comes the same way, for as long as the system waits.
 */
export function finishBeforeQuit(
  app: Pick<App, 'on' | 'quit'>,
  power: Pick<PowerMonitor, 'on'>,
  finish: () => Promise<void>,
): Ending {
  let isFinished = false;
  let isFinishing = false;
  app.on('will-quit', (event) => {
    if (isFinished) return;
    event.preventDefault();
    if (isFinishing) return;
    isFinishing = true;
    void finish().finally(() => {
      isFinished = true;
      app.quit();
    });
  });
  // Electron's declarations leave out the event that they tell of in words.
  power.on('shutdown', ((event?: { preventDefault(): void }) => {
    event?.preventDefault();
    app.quit();
  }) as () => void);
  return { isUnderWay: () => isFinishing };
}
