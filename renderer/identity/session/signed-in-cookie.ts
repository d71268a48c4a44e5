import { signedInCookie, signedInSeconds } from '../../../server/contract/privacy.ts';

/**
 * Sets a cookie that tells the server on this page's host whether the user is signed in, for accounts that do not count
 * such visits. Short links cannot see the token, which is in the page's storage; the cookie grants no access.
 */
export function setSignedInCookie(isSignedIn: boolean): void {
  const seconds = isSignedIn ? signedInSeconds : 0;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: The Cookie Store API requires HTTPS.
  document.cookie = `${signedInCookie}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
}
