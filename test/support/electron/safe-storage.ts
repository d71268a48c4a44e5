import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SafeStorage } from 'electron';
import { app, mustBeReady } from './app.ts';
import { ownFolder, settings } from './settings.ts';

/** Seals with a key that lies beside: what is kept must not be readable as it is, and must be openable later. */
const keyFile = join(ownFolder, 'stand-in-key-store');

/** What Chromium writes in front tells by which kind of key it was sealed. */
const tag = settings.platform === 'linux' && settings.keyStore !== 'fixed_key' ? 'v11' : 'v10';

const busy = (name: string) => new Error(`safeStorage.${name} is temporarily unavailable. Please try again.`);

export const safeStorage = {
  // Always true, whatever the store is like: it says that Chromium's own part is ready.
  isAsyncEncryptionAvailable: async () => true,
  // A guess from the desktop's name, before anyone has asked the store itself.
  getSelectedStorageBackend() {
    if (settings.platform !== 'linux') throw new Error('Only Linux has a choice of key stores.');
    if (!app.isReady()) return 'unknown';
    return settings.keyStore === 'basic_text' ? 'basic_text' : 'gnome_libsecret';
  },
  async encryptStringAsync(text) {
    mustBeReady('safeStorage cannot be used before app is ready');
    if (settings.keyStore === 'locked') throw busy('encryptStringAsync');
    const start = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', sealingKey(), start);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from(tag), start, cipher.getAuthTag(), sealed]);
  },
  async decryptStringAsync(bytes) {
    mustBeReady('safeStorage cannot be used before app is ready');
    if (settings.keyStore === 'locked') throw busy('decryptStringAsync');
    if (bytes.toString('latin1', 0, 3) !== tag || settings.keyStore === 'foreign') {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.');
    }
    const cipher = createDecipheriv('aes-256-gcm', sealingKey(), bytes.subarray(3, 15));
    cipher.setAuthTag(bytes.subarray(15, 31));
    const text = Buffer.concat([cipher.update(bytes.subarray(31)), cipher.final()]).toString('utf8');
    return { result: text, shouldReEncrypt: false };
  },
} satisfies Pick<
  SafeStorage,
  'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend' | 'isAsyncEncryptionAvailable'
>;

function sealingKey(): Buffer {
  if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
  return readFileSync(keyFile);
}
