import type { App, PowerMonitor } from 'electron';

/** The end of the app. */
export interface Ending {
  /** Whether the app is on its last way: nothing is opened any more. */
  isUnderWay(): boolean;
  /** Whether the app was told to quit, and no window has kept it so far. */
  isAskedFor(): boolean;
  /** A window stays, and the app with it. */
  putOff(): void;
  /** Whether the system ends, or the person's session: nobody is there to be asked anything. */
  isOfSystem(): boolean;
  /** Ends the app because the system ends. */
  endWithSystem(): void;
}

interface EndingOptions {
  app: Pick<App, 'on' | 'quit'>;
  power: Pick<PowerMonitor, 'on'>;
  /** This process. */
  signals: { on(signal: NodeJS.Signals, listener: () => void): unknown };
  platform: NodeJS.Platform;
  /** What is begun at once when the system ends: it waits for seconds only. */
  hurry: () => void;
  /** Closes what is open whether it wants to or not, once the system ends. */
  closeAll: () => void;
  /** The app ends once this has. */
  finish: () => Promise<void>;
}

/**
 * Lets the app end only after `finish` has: the server must not be cut off in the middle of what it does. The end of
 * the whole system comes the same way, for as long as the system waits.
 */
export function finishBeforeQuit({
  app,
  power,
  signals,
  platform,
  hurry,
  closeAll,
  finish,
}: EndingOptions): Ending {
  let isFinished = false;
  let isFinishing = false;
  let isOfSystem = false;
  let isAskedFor = false;
  app.on('before-quit', () => {
    isAskedFor = true;
  });
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

  function endWithSystem(): void {
    if (isOfSystem) return;
    isOfSystem = true;
    hurry();
    app.quit();
    // A page that has refused a moment ago is not asked again while Chromium is at that, and the app would wait for it
    // for ever. Not within this event: it may be one of the very window that goes. Its refusal may have ended the quit.
    setImmediate(() => {
      closeAll();
      app.quit();
    });
  }

  // Electron's declarations leave out the event that they tell of in words.
  power.on('shutdown', ((event?: { preventDefault(): void }) => {
    event?.preventDefault();
    endWithSystem();
  }) as () => void);
  if (platform !== 'win32') {
    // These take the place of Electron's own, which quit at the first signal and are cut off by the second: a session
    // that ends, npm and a terminal may each send one. The first two come from somebody who is not there to answer.
    signals.on('SIGTERM', endWithSystem);
    signals.on('SIGHUP', endWithSystem);
    signals.on('SIGINT', () => app.quit());
  }
  return {
    isUnderWay: () => isFinishing,
    isAskedFor: () => isAskedFor,
    putOff() {
      isAskedFor = false;
    },
    isOfSystem: () => isOfSystem,
    endWithSystem,
  };
}
