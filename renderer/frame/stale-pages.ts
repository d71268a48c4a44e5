import type { Router } from 'vue-router';

/** Set when the app was reloaded for a missing page and has not shown one since. */
export const triedKey = 'waypost:reloaded-for-page';

interface Surroundings {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Navigates to a URL with a full page load. */
  open(address: string): void;
  /** Whether the server responds at all. */
  isReachable(): Promise<boolean>;
  /** Called with the error if reloading has not helped. */
  onHopeless(error: unknown): void;
}

/**
 * Pages are separate files with content hashes. After an update of the server, an app that was loaded before requests
 * files that no longer exist: it is then reloaded at the requested URL. Only once until a page has loaded, because a
 * file missing from the new version as well would cause an endless reload.
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

/** Whether a script or style failed to load, by the error messages of Chromium, Firefox, Safari and Vite. */
export function isMissingFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message)
  );
}
