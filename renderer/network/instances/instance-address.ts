import { isOfThisComputer } from '../../ui/addresses.ts';

/**
 * The origin that a person means: `links.example.com` is https, a port or a path may be there, the names and
 * addresses of this computer are http unless they say otherwise. Undefined for what is not an address of a server.
 */
export function originOf(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return undefined;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  // What never leaves this machine needs no certificate.
  const address = hasScheme ? text : `${isOfThisComputer(`http://${text}`) ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.username || url.password ? undefined : url.origin;
}

/** Whether what is sent there travels in the clear over a network that others are in. */
export function isExposed(origin: string): boolean {
  return origin.startsWith('http://') && !isOfThisComputer(origin);
}
