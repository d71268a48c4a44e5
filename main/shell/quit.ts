import type { App, PowerMonitor } from 'electron';

/** The state of quitting the app. */
export interface Ending {
  /** Whether the app is exiting, after which nothing is opened any more. */
  isUnderWay(): boolean;
  /** Whether a quit was requested and no window has prevented it so far. */
  isAskedFor(): boolean;
  /** Called when a window prevents the quit. */
  putOff(): void;
  /** Whether the system is shutting down or the user is logging out, when nobody can answer questions. */
  isOfSystem(): boolean;
  /** Quits because the system is shutting down. */
  endWithSystem(): void;
}

interface EndingOptions {
  app: Pick<App, 'on' | 'quit'>;
  power: Pick<PowerMonitor, 'on'>;
  /** The current process. */
  signals: { on(signal: NodeJS.Signals, listener: () => void): unknown };
  platform: NodeJS.Platform;
  /** Work to start immediately on system shutdown, which only allows a few seconds. */
  hurry: () => void;
  /** Closes all windows unconditionally on system shutdown. */
  closeAll: () => void;
  /** The app exits once this resolves. */
  finish: () => Promise<void>;
}

/**
 * Delays the exit until `finish` resolves, so that the server is not killed during its work. A system shutdown is
 * delayed as well, for as long as the system allows.
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
    // While Chromium handles a close that the page has just prevented, it does not ask again and the app would hang.
    // Wait until this event is over, as it may come from the closing window itself. The page may have cancelled the
    // quit.
    setImmediate(() => {
      closeAll();
      app.quit();
    });
  }

  // Electron documents this event's argument but its types omit it.
  power.on('shutdown', ((event?: { preventDefault(): void }) => {
    event?.preventDefault();
    endWithSystem();
  }) as () => void);
  if (platform !== 'win32') {
    // These replace Electron's handlers, which quit on the first signal and die on the second: the session manager, npm
    // and a terminal may each send one. On SIGTERM and SIGHUP, nobody can answer questions.
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
