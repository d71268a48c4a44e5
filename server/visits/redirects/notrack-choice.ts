import { signedInCookie, signedInSeconds } from '../../contract/privacy.ts';

const cookieName = 'waypost_notrack';
/** Browsers keep no cookie for longer. */
const keptSeconds = 400 * 86_400;

/** What a bare domain is asked for by `?notrack=1` or `?notrack=0`; undefined for any other query. */
export function notrackChoice(target: string): 'leaveOut' | 'count' | undefined {
  const [, value] = /^\/?\?(?:[^#]*&)?notrack=([01])(?:&|$)/.exec(target) ?? [];
  return value === undefined ? undefined : value === '1' ? 'leaveOut' : 'count';
}

/** The Set-Cookie header that leaves a browser out of all counts on a host, or takes it in again. */
export function notrackCookie(choice: 'leaveOut' | 'count', isSecure: boolean): string {
  const [value, seconds] = choice === 'leaveOut' ? ['1', keptSeconds] : ['', 0];
  return `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** Whether a Cookie header says so. */
export function hasNotrackCookie(cookies: string): boolean {
  return cookies.includes(cookieName) && /(?:^|;)\s*waypost_notrack=1(?:;|$)/.test(cookies);
}

/**
 * Where the app leads on to when it opens an address of this host for somebody who is signed in, by
 * `/?notrack=signed-in&to=/spring`: a path here, with its query. Undefined for any other target.
 */
export function openedBySignedIn(target: string): string | undefined {
  if (!target.startsWith('/?notrack=signed-in&to=')) return undefined;
  const to = new URLSearchParams(target.slice(2)).get('to') ?? '';
  const here = 'http://here.invalid';
  if (!to.startsWith('/') || !URL.canParse(to, here)) return '/';
  const { origin, pathname, search } = new URL(to, here);
  // A path with two slashes at its start would be read as another host.
  return origin === here && !pathname.startsWith('//') ? pathname + search : '/';
}

/**
 * The Set-Cookie header that marks a browser of somebody who is signed in, as the app does on its own host, or ends
 * that.
 */
export function signedInMark(isSignedIn: boolean, isSecure: boolean): string {
  const seconds = isSignedIn ? signedInSeconds : 0;
  return `${signedInCookie}; Path=/; Max-Age=${seconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
