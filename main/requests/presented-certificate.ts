import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { PresentedCertificate } from '../../preload/contract.ts';

/** What a server presents, for a person to compare. `pem` is the certificate that can be accepted. */
export interface Sighting extends PresentedCertificate {
  readonly pem: string;
}

const TIMEOUT = 10_000;
/** A chain of more certificates than this is none. */
const longestChain = 10;

/** SHA-256 of a certificate as browsers show it: `AB:CD:…`. Throws for a text that is none. */
export function fingerprintOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256;
}

export function isCertificate(pem: string): boolean {
  try {
    return fingerprintOf(pem) !== '';
  } catch {
    // Whatever is wrong with it: it is no certificate.
    return false;
  }
}

/**
 * Looks at the certificate of a server, whatever it is worth: nothing is sent but the handshake, and nothing is trusted
 * by it. Undefined when there is no encrypted answer.
 */
export async function lookAtCertificate(origin: string, now: number): Promise<Sighting | undefined> {
  const url = new URL(origin);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(url.port || 443),
    servername: isIP(host) === 0 ? host : '',
    minVersion: 'TLSv1.2',
    // The one place that looks at what is not trusted: to show it. The connection is closed with that.
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT) });
    const certificate = socket.getPeerX509Certificate();
    return certificate && sightingOf(certificate, host, now);
  } catch {
    // Nobody there, no TLS there, or too slow: the page says that there is no answer.
    return undefined;
  } finally {
    socket.destroy();
  }
}

function sightingOf(certificate: X509Certificate, host: string, now: number): Sighting {
  const root = rootOf(certificate);
  const isFor = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  // Under a root the server can renew its certificate without another comparison, but only for its own names.
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

/**
 * The self-signed root that a certificate goes back to, by the chain that came with it; undefined where it does not.
 */
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

/** A stranger's words, short and without control characters. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, '').slice(0, 100);
}
