import { hasLongHost } from '../../contract/long-host.ts';
import { rejected } from '../../platform/errors.ts';

export const longestDestination = 8192;

/**
 * A destination in the form that is stored and sent: absolute http or https URL in WHATWG normal form, at most 8192
 * characters, no credentials, not one of our own addresses (decision 0011).
 * Throws 400 `invalid_url` or `loop`.
 */
export function readDestination(text: string, field: string, isOwnAddress: (url: URL) => boolean): string {
  const trimmed = text.trim();
  // The URL parser would silently drop tabs and line breaks, and take http:/host for http://host.
  if (/\p{Cc}/u.test(trimmed) || !/^https?:\/\/[^/\\]/i.test(trimmed)) throw invalid(field);
  // Spaces are encoded, as browsers do; but two URLs in one field are a slip.
  if (/ https?:\/\//i.test(trimmed)) throw invalid(field);
  if (hasLongHost(trimmed) || !URL.canParse(trimmed)) throw invalid(field);
  const url = new URL(trimmed);
  if (url.hostname === '' || url.port === '0') throw invalid(field);
  if (url.username !== '' || url.password !== '') {
    throw rejected('invalid_url', field, 'Remove the username and password from the URL.');
  }
  if (url.href.length > longestDestination) {
    throw rejected('invalid_url', field, `Use a URL of at most ${longestDestination} characters.`);
  }
  if (isOwnAddress(url)) {
    throw rejected('loop', field, 'This URL belongs to this instance. Link to the final destination.');
  }
  return url.href;
}

/**
 * The normal form shared by equivalent destinations (as stored): without a trailing dot in the host, and with
 * upper-case percent codes. The order of the query matters to some servers and is kept.
 */
export function sameDestination(href: string): string {
  const url = new URL(href);
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
}

function invalid(field: string) {
  return rejected('invalid_url', field, 'Enter a full URL that starts with http:// or https://.');
}
