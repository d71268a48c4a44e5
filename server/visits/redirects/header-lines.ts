import type { IncomingMessage } from 'node:http';
import { signedInCookie } from '../../contract/privacy.ts';
import { hasNotrackCookie } from './notrack-choice.ts';

/** The headers that a redirect needs; '' if not sent. */
export interface VisitHeaders {
  userAgent: string;
  acceptLanguage: string;
  referer: string;
  /** Whether the visitor asks not to be tracked: `DNT: 1`, or `Sec-GPC: 1` (Global Privacy Control). */
  asksNotToBeTracked: boolean;
  /** Whether this browser opted out of counting on this host (`notrack-choice.ts`). */
  isLeftOut: boolean;
  /** Whether someone is signed in to the app in this browser, as far as the cookie says. */
  isSignedIn: boolean;
}

/**
 * Reads the few relevant headers from the raw list. `request.headers` would build an object of all of them, which
 * costs more than everything else here. The first of several wins.
 */
export function readVisitHeaders(request: IncomingMessage): VisitHeaders {
  const raw = request.rawHeaders;
  const headers = {
    userAgent: '',
    acceptLanguage: '',
    referer: '',
    asksNotToBeTracked: false,
    isLeftOut: false,
    isSignedIn: false,
  };
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    // The length distinguishes most headers before any character is compared.
    switch (name.length) {
      case 3:
        if (isNamed(name, 'DNT', 'dnt') && raw[index + 1] === '1') headers.asksNotToBeTracked = true;
        break;
      case 6:
        if (isNamed(name, 'Cookie', 'cookie')) {
          const cookies = raw[index + 1] as string;
          if (hasNotrackCookie(cookies)) headers.isLeftOut = true;
          if (cookies.includes(signedInCookie)) headers.isSignedIn = true;
        }
        break;
      case 7:
        if (isNamed(name, 'Referer', 'referer')) {
          if (headers.referer === '') headers.referer = raw[index + 1] as string;
        } else if (isNamed(name, 'Sec-GPC', 'sec-gpc') && raw[index + 1] === '1') {
          headers.asksNotToBeTracked = true;
        }
        break;
      case 10:
        if (headers.userAgent === '' && isNamed(name, 'User-Agent', 'user-agent')) {
          headers.userAgent = raw[index + 1] as string;
        }
        break;
      case 15:
        if (headers.acceptLanguage === '' && isNamed(name, 'Accept-Language', 'accept-language')) {
          headers.acceptLanguage = raw[index + 1] as string;
        }
        break;
    }
  }
  return headers;
}

function isNamed(name: string, usual: string, lower: string): boolean {
  return name === usual || name === lower || name.toLowerCase() === lower;
}
