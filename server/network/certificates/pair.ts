import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** Milliseconds before their end at which certificates are renewed (decision 0031: 30 days). */
export const renewBefore = 30 * 24 * 3_600_000;

/** A private key with its certificate chain, both PEM. */
export interface CertificatePair {
  key: string;
  chain: string;
}

/** A key pair and certificate that an authority created for a host. */
export interface Obtained extends CertificatePair {
  /** Wall-clock milliseconds. */
  expiresAt: number;
  /** Where the authority keeps it; null when it does not. */
  url: string | null;
}

/** Throws when a certificate is not for this host or not for this key: neither must ever be served (T-23). */
export function checkPair({ key, chain }: CertificatePair, host: string): void {
  const certificate = new X509Certificate(chain);
  const isFor = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (!isFor) throw new Error(`The certificate that was issued is not for ${host}.`);
  if (!certificate.checkPrivateKey(createPrivateKey(key))) {
    throw new Error('The certificate that was issued belongs to another key.');
  }
}

/**
 * Whether a certificate has exactly as many hosts and addresses as there are names: others would reveal additional
 * names.
 */
export function coversExactly(certificate: X509Certificate, names: readonly string[]): boolean {
  return (certificate.subjectAltName?.split(', ').length ?? 0) === new Set(names).size;
}

/** The end of a certificate, in wall-clock milliseconds. */
export function endOf(chain: string): number {
  return new X509Certificate(chain).validToDate.getTime();
}

/** Key and chain as one text, so that they are replaced together. */
export function joinPair({ key, chain }: CertificatePair): string {
  return `${key.trim()}\n${chain.trim()}\n`;
}

/** Undefined for a text that is not a pair. */
export function splitPair(text: string): CertificatePair | undefined {
  const at = text.indexOf('-----BEGIN CERTIFICATE-----');
  if (at <= 0 || !text.includes('PRIVATE KEY-----')) return undefined;
  return { key: text.slice(0, at), chain: text.slice(at) };
}
