/** The windows that are open, so that quitting can close them without knowing what a window is. */
const closers = new Set<() => Promise<boolean>>();

export function addWindow(close: () => Promise<boolean>): () => void {
  closers.add(close);
  return () => closers.delete(close);
}

export function hasWindows(): boolean {
  return closers.size > 0;
}

/** Whether all of them are closed. */
export async function closeWindows(): Promise<boolean> {
  for (const close of [...closers]) if (!(await close())) return false;
  return true;
}
