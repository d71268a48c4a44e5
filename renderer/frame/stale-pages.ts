import type { Router } from 'vue-router';

/** There while the program was loaded anew for a page and has not shown one since. */
export const triedKey = 'waypost:reloaded-for-page';

interface Surroundings {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Leaves for an address, with a request. */
  open(address: string): void;
  /** Whether the server answers at all. */
  isReachable(): Promise<boolean>;
  /** Called with the error when loading anew has not helped. */
  onHopeless(error: unknown): void;
}

/**
 * Each page is a file of its own, named after its content. A program that was opened before an update asks for files
 * that are gone: it is loaded anew then, at the address that was asked for. Once only, until a page came: a file that
 * is missing from the new program as well would reload for ever.
 */
export function reloadStalePages(
  router: Router,
  { storage, open, isReachable, onHopeless }: Surroundings,
): void {
  router.onError(async (error, to) => {
    if (!isMissingFile(error)) return;
    if (storage.getItem(triedKey) !== null) return onHopeless(error);
    if (!(await isReachable())) return;
    storage.setItem(triedKey, to.fullPath);
    open(router.resolve(to.fullPath).href);
  });
  router.afterEach((_to, _from, failure) => {
    if (!failure) storage.removeItem(triedKey);
  });
}

/** Whether a script or style could not be fetched: Chromium's, Firefox's and Safari's words for it, and the build's. */
export function isMissingFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message)
  );
}
