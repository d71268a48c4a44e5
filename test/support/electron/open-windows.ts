/** The windows that are open, so that quitting can close them without knowing what a window is. */
const closers = new Set<() => Promise<void>>();

export function addWindow(close: () => Promise<void>): () => void {
  closers.add(close);
  return () => closers.delete(close);
}

export async function closeWindows(): Promise<void> {
  for (const close of [...closers]) await close();
}
