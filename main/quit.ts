import type { App } from 'electron';

/** Lets the app end only after `finish` has: the server must not be cut off in the middle of what it does. */
export function finishBeforeQuit(app: Pick<App, 'on' | 'quit'>, finish: () => Promise<void>): void {
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
}
