import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './database/disk.ts';
import { readSmallFile } from './database/small-file.ts';
import { unavailable } from './errors.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const version = 'v1';

export interface Vault {
  /** Encrypts a text. `purpose` identifies what it is for; decryption needs the same purpose. */
  seal(text: string, purpose: string): string;
  /** The text; undefined if it was encrypted with another key or for another purpose, or was modified. */
  open(sealed: string, purpose: string): string | undefined;
}

/** Encrypts secrets that the server must be able to read, with AES-256-GCM and a key outside the database (T-11). */
export function vault(key: Buffer): Vault {
  if (key.length !== keyBytes) throw new Error(`a vault key has ${keyBytes} bytes, not ${key.length}`);
  return {
    seal(text, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, purpose) {
      const [form, text = ''] = sealed.split('.');
      const bytes = Buffer.from(text, 'base64url');
      if (form !== version || bytes.length < nonceBytes + tagBytes) return undefined;
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const body = bytes.subarray(nonceBytes + tagBytes);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch {
        // The tag does not match: another key, another purpose, or changed bytes.
        return undefined;
      }
    },
  };
}

/**
 * The vault of an instance whose key is lost. It decrypts nothing, and encrypts nothing either: data encrypted with a
 * new key would become unreadable once the old key is restored.
 */
export const lockedVault: Vault = {
  seal() {
    throw unavailable(
      'The vault key is missing on this server. Restore vault.key in its data folder and restart.',
    );
  },
  open: () => undefined,
};

/**
 * The key of a data folder: a separate file that only this user may read, so that a stolen database or backup is not
 * enough. Undefined if there is none, or if the file does not contain a key.
 */
export function findVaultKey(folder: string): Buffer | undefined {
  const file = fileOf(folder);
  return existsSync(file) ? parseVaultKey(readSmallFile(file)) : undefined;
}

/** Creates the key of a data folder. Throws if a file of that name exists: it may be a damaged key. */
export function makeVaultKey(folder: string): Buffer {
  const file = fileOf(folder);
  if (existsSync(file)) throw new Error(`${file} is not a vault key; restore it from where it was kept`);
  const key = randomBytes(keyBytes);
  // Atomically, so that an interrupted start never leaves half a key behind.
  writeWhole(file, `${key.toString('base64')}\n`);
  return key;
}

/** A key as passed in: 32 bytes in base64; undefined for anything else. */
export function parseVaultKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  return Buffer.from(trimmed, 'base64');
}

function fileOf(folder: string): string {
  return join(folder, 'vault.key');
}
