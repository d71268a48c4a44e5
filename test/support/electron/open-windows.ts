/** The windows that are open, so that quitting can close them without knowing what a window is. */
const closers = new Set<() => void>();

export function addWindow(close: () => void): () => void {
  closers.add(close);
  return () => closers.delete(close);
}

export function hasWindows(): boolean {
  return closers.size > 0;
}

/** Asks all of them to close; each notifies the app when it has closed, or that it stays. */
export function closeWindows(): void {
  for (const close of [...closers]) close();
}
