/** What the stand-in tells the test, in the order in which it happened. */
export type Told =
  /** The page can be reached at this DevTools address. */
  | { type: 'window'; endpoint: string }
  | { type: 'focused' }
  | { type: 'server'; pid: number }
  | { type: 'opened'; address: string }
  | { type: 'copied'; text: string }
  | { type: 'asked'; message: string; detail: string }
  | { type: 'shown-file'; path: string }
  /** The page asked the network for something; it got nothing. */
  | { type: 'requested'; address: string }
  | { type: 'download'; address: string; denied: boolean }
  | { type: 'popup'; address: string }
  | { type: 'menu'; ids: string[] }
  | { type: 'notified'; title: string; body: string }
  /** The keys that the app has all over the system; none after they were given back. */
  | { type: 'keys'; accelerator: string | undefined };

/** What the test wants done as a person would. */
export type Order =
  | { type: 'quit' }
  | { type: 'close-window' }
  | { type: 'click-menu'; id: string }
  | { type: 'copy'; text: string }
  | { type: 'press-keys' }
  | { type: 'open-url'; address: string }
  /** Which button the next dialogs are answered with. */
  | { type: 'answer'; button: number };

/** Only a process that a test has started has a channel; a start by hand is silent. */
export function tell(told: Told): void {
  if (process.connected) process.send?.(told);
}

export function onOrder(listener: (order: Order) => void): void {
  process.on('message', (order) => listener(order as Order));
}
