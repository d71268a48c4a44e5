import { createHash, randomBytes } from 'node:crypto';

/** A new secret of 256 random bits. The prefix identifies it to people and secret scanners. */
export function newSecret(kind: 'key' | 'session'): string {
  return `${kind === 'key' ? 'wp' : 'wps'}_${randomBytes(32).toString('base64url')}`;
}

/** The stored form of a secret: with 256 random bits, one round of SHA-256 is enough (decision 0005). */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The few characters that are stored in plain text, so that people can tell keys apart. */
export function prefixOf(secret: string): string {
  return secret.slice(0, 8);
}
