import { signedInCookie, signedInSeconds } from '../../../server/contract/privacy.ts';

/**
 * Tells the server that answers this page's host whether somebody is signed in here, for accounts that do not count
 * such visits. Short links see no token, as it is kept in the page's own storage, and this opens nothing.
 */
export function markBrowser(isSignedIn: boolean): void {
  const seconds = isSignedIn ? signedInSeconds : 0;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: The Cookie Store is not there on addresses without HTTPS.
  document.cookie = `${signedInCookie}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
}
