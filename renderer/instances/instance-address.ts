/**
 * The origin that a person means: `links.example.com` is https, a port or a path may be there, `localhost` and plain
 * addresses of a local network are http unless they say otherwise. Undefined for what is no address of a server.
 */
export function originOf(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return undefined;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const address = hasScheme ? text : `${isNearby(text) ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.username || url.password ? undefined : url.origin;
}

/** Whether what is sent there travels in the clear over a network that others are in. */
export function isExposed(origin: string): boolean {
  return origin.startsWith('http://') && !/^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);
}

/** Hosts that have no certificate as a rule: this machine, and those of a local network. */
function isNearby(text: string): boolean {
  const host = text.split(/[/:]/, 1)[0]?.toLowerCase() ?? '';
  return (
    host === 'localhost' ||
    host.endsWith('.local') ||
    text.startsWith('[') ||
    /^(127|10)(\.\d{1,3}){3}$|^192\.168(\.\d{1,3}){2}$|^172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}$/.test(host)
  );
}
