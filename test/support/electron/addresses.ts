/**
 * Chromium does not know the `app:` scheme, so under the fake the page has a secure origin that does not exist, and
 * both names are translated where they cross: the main process sees only `app://waypost`.
 */
const ofMain = 'app://waypost';
const ofPage = 'https://waypost.app.test';

/** The page's origin in the fake's Chromium. */
export const originOfPage = ofPage;

export function toPageAddress(address: string): string {
  return address.startsWith(`${ofMain}/`) ? ofPage + address.slice(ofMain.length) : address;
}

export function toMainAddress(address: string): string {
  return address.replace(/^(blob:)?https:\/\/waypost\.app\.test(?=\/|$)/, `$1${ofMain}`);
}

export function isPageAddress(address: string): boolean {
  return address.startsWith(`${ofPage}/`);
}
