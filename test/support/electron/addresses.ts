/**
 * Chromium knows no `app:` scheme, so under the stand-in the page lives at a secure origin that exists nowhere, and
 * both names are translated where they cross: the main process sees `app://waypost` only.
 */
const ofMain = 'app://waypost';
const ofPage = 'https://waypost.app.test';

/** The origin that the page has in the stand-in's Chromium. */
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
