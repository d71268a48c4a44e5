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
