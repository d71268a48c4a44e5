import { signedInCookie, signedInSeconds } from '../../contract/privacy.ts';

const cookieName = 'waypost_notrack';
/** The longest time for which browsers keep a cookie. */
const keptSeconds = 400 * 86_400;

/** The choice in `?notrack=1` or `?notrack=0` on a bare domain; undefined for any other query. */
export function notrackChoice(target: string): 'leaveOut' | 'count' | undefined {
  const [, value] = /^\/?\?(?:[^#]*&)?notrack=([01])(?:&|$)/.exec(target) ?? [];
  return value === undefined ? undefined : value === '1' ? 'leaveOut' : 'count';
}

/** The Set-Cookie header that excludes a browser from all counts on a host, or includes it again. */
export function notrackCookie(choice: 'leaveOut' | 'count', isSecure: boolean): string {
  const [value, seconds] = choice === 'leaveOut' ? ['1', keptSeconds] : ['', 0];
  return `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** Whether a Cookie header excludes the browser. */
export function hasNotrackCookie(cookies: string): boolean {
  return cookies.includes(cookieName) && /(?:^|;)\s*waypost_notrack=1(?:;|$)/.test(cookies);
}

/**
 * The target of the URL by which the app marks a signed-in user's browser on this host,
 * `/?notrack=signed-in&to=/spring`: a path on this host, with its query. Undefined for any other target.
 */
export function openedBySignedIn(target: string): string | undefined {
  if (!target.startsWith('/?notrack=signed-in&to=')) return undefined;
  const to = new URLSearchParams(target.slice(2)).get('to') ?? '';
  const here = 'http://here.invalid';
  if (!to.startsWith('/') || !URL.canParse(to, here)) return '/';
  const { origin, pathname, search } = new URL(to, here);
  // Browsers read a path that starts with two slashes as another host.
  return origin === here && !pathname.startsWith('//') ? pathname + search : '/';
}

/**
 * The Set-Cookie header that marks the browser of a signed-in user, as the app does on its own host, or removes
 * the mark.
 */
export function signedInMark(isSignedIn: boolean, isSecure: boolean): string {
  const seconds = isSignedIn ? signedInSeconds : 0;
  return `${signedInCookie}; Path=/; Max-Age=${seconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
