import { isOfThisComputer } from '../../ui/addresses.ts';

/**
 * Normalizes a typed address to an origin: `links.example.com` defaults to https, loopback addresses default to http; a
 * port is kept and a path dropped. Undefined if it is not an http(s) address.
 */
export function originOf(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return undefined;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  // Loopback traffic needs no certificate.
  const address = hasScheme ? text : `${isOfThisComputer(`http://${text}`) ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.username || url.password ? undefined : url.origin;
}

/** Whether traffic to the origin is unencrypted and leaves this computer. */
export function isExposed(origin: string): boolean {
  return origin.startsWith('http://') && !isOfThisComputer(origin);
}
