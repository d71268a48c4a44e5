import ipaddr from 'ipaddr.js';
import { rejected } from '../../platform/errors.ts';

/** Where a passkey is created or used: the page's origin, and the host name that browsers bind the passkey to. */
export interface RelyingParty {
  origin: string;
  id: string;
}

/**
 * The relying party of a request. `origin` is its Origin header, already checked against the instance's hosts (T-02);
 * API clients send none, and the instance's own URL is used. Throws 400 if browsers do not support passkeys there: at
 * an IP address, and without encryption except on this machine (WebAuthn Level 3, section 5.1.2).
 */
export function relyingPartyOf(origin: string | undefined, baseUrl: string): RelyingParty {
  const { origin: address, hostname, protocol } = new URL(origin ?? baseUrl);
  if (ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))) {
    const advice = 'Open the instance under its host name, or as http://localhost on this machine.';
    throw rejected('passkey_needs_name', undefined, `Passkeys do not work at a bare IP address. ${advice}`);
  }
  const isThisMachine = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (protocol !== 'https:' && !isThisMachine) {
    throw rejected('passkey_needs_https', undefined, 'Passkeys need HTTPS. Open the instance over https://.');
  }
  return { origin: address, id: hostname };
}
