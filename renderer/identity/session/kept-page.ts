import { storageKey } from '../../api/session-token.ts';

/** Keeps the page that was open last in an account, for when it is shown again. */
export function keepPage(scope: string, path: string): void {
  localStorage.setItem(storageKey(scope, 'page'), path);
}

/** The page that was open last; undefined where there is none. */
export function keptPage(scope: string): string | undefined {
  const path = localStorage.getItem(storageKey(scope, 'page')) ?? '';
  // Only a path of ours; the storage is the page's own, but a version before may have written it.
  return /^\/(?![/\\])/.test(path) ? path : undefined;
}
