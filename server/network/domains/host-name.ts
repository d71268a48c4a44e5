import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { composed } from '../../contract/composed.ts';
import { rejected } from '../../platform/errors.ts';

/**
 * Names that never resolve to a public server (RFC 6761, RFC 6762, RFC 8375), or resolve to the visitor's own machine.
 */
const privateSuffixes = ['localhost', 'invalid', 'onion', 'arpa'];

/**
 * A host as a person wrote it, with or without `https://`, in the form that is stored: lower-case punycode (decision
 * 0029). Throws 400 `invalid_domain` for addresses, single labels, wildcards, ports and paths.
 */
export function readHostName(text: string): string {
  const bare = text.trim().replace(/^https?:\/\//i, '');
  if (/[/?#@\\]/.test(bare)) throw invalid('Enter only the hostname, without a path.');
  if (/^\[|:\d*$/.test(bare)) throw invalid('Enter a hostname without a port, not a URL.');
  if (bare.includes('*')) throw invalid('Enter one hostname; wildcards are not supported.');
  if (/[\s\p{Cc}%]/u.test(bare) || bare === '') throw invalid('Enter a hostname, such as go.example.com.');
  const host = domainToASCII(composed(bare));
  // WHATWG reads 0x7f.1 and 127.1 as addresses: domainToASCII does so too.
  if (isIP(host) !== 0) throw invalid('Enter a hostname, not an IP address.');
  if (!isHostName(host)) throw invalid('Enter a full hostname, such as go.example.com.');
  return host;
}

/** Whether a text is a host name of several labels by the letters, digits and hyphens rule (RFC 1123, section 2.1). */
function isHostName(host: string): boolean {
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  return (
    host.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) &&
    !/^\d+$/.test(last) &&
    !privateSuffixes.includes(last)
  );
}

function invalid(message: string) {
  return rejected('invalid_domain', 'domain', message);
}
