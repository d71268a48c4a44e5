import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { PresentedCertificate } from '../../preload/contract.ts';

/** A server's certificate, for the user to compare. `pem` is the certificate that can be accepted. */
export interface Sighting extends PresentedCertificate {
  readonly pem: string;
}

const TIMEOUT = 10_000;
/** The longest certificate chain that is accepted. */
const longestChain = 10;

/** The SHA-256 fingerprint of a PEM certificate as browsers show it (`AB:CD:…`). Throws for an invalid certificate. */
export function fingerprintOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256;
}

export function isCertificate(pem: string): boolean {
  try {
    return fingerprintOf(pem) !== '';
  } catch {
    // Not a certificate.
    return false;
  }
}

/**
 * Fetches a server's certificate without validating it; only the TLS handshake is sent. Undefined if there is no TLS
 * response.
 */
export async function lookAtCertificate(origin: string, now: number): Promise<Sighting | undefined> {
  const url = new URL(origin);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(url.port || 443),
    servername: isIP(host) === 0 ? host : '',
    minVersion: 'TLSv1.2',
    // Validation is disabled only here, to show the certificate; the connection is closed right after.
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT) });
    const certificate = socket.getPeerX509Certificate();
    return certificate && sightingOf(certificate, host, now);
  } catch {
    // Connection refused, no TLS or a timeout: the page shows that there was no response.
    return undefined;
  } finally {
    socket.destroy();
  }
}

function sightingOf(certificate: X509Certificate, host: string, now: number): Sighting {
  const root = rootOf(certificate);
  const isFor = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  // Trusting the root lets the server renew its certificate without another comparison, but only for its own names.
  const accepted = root && isFor ? root : certificate;
  return {
    pem: accepted.toString(),
    fingerprint: accepted.fingerprint256,
    kind: accepted === root ? 'authority' : 'server',
    name: plain(accepted.subject.split('\n').at(-1)?.replace(/^\w+=/, '') ?? ''),
    expires: certificate.validToDate.getTime(),
    isExpired: certificate.validToDate.getTime() < now || accepted.validToDate.getTime() < now,
  };
}

/** The self-signed root of the presented chain; undefined if the chain does not end in one. */
function rootOf(certificate: X509Certificate): X509Certificate | undefined {
  let below = certificate;
  for (let length = 0; length < longestChain; length += 1) {
    const above = below.issuerCertificate;
    if (!above || above.fingerprint256 === below.fingerprint256) return undefined;
    if (!above.ca || !below.checkIssued(above) || !below.verify(above.publicKey)) return undefined;
    if (above.subject === above.issuer && above.verify(above.publicKey)) return above;
    below = above;
  }
  return undefined;
}

/** Untrusted text, shortened and without control characters. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, '').slice(0, 100);
}
