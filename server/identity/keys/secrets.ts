import { createHash, randomBytes } from 'node:crypto';

/** A new secret of 256 random bits. The prefix tells a person and a scanner what it is. */
export function newSecret(kind: 'key' | 'session'): string {
  return `${kind === 'key' ? 'wp' : 'wps'}_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a secret: it has 256 random bits, so one round of SHA-256 is enough (decision 0005). */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The few characters that are kept readable, so that a person can tell keys apart. */
export function prefixOf(secret: string): string {
  return secret.slice(0, 8);
}
