import { storageKey } from '../../api/session-token.ts';

/** Stores the last page of an account, to reopen it after a switch. */
export function storeLastPage(scope: string, path: string): void {
  localStorage.setItem(storageKey(scope, 'page'), path);
}

/** The stored last page; undefined if there is none. */
export function storedLastPage(scope: string): string | undefined {
  const path = localStorage.getItem(storageKey(scope, 'page')) ?? '';
  // Only local paths; an older version may have stored another value.
  return /^\/(?![/\\])/.test(path) ? path : undefined;
}
