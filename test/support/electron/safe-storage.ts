import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SafeStorage } from 'electron';
import { app, mustBeReady } from './app.ts';
import { ownFolder, settings } from './settings.ts';

/** Encrypts with a key stored beside it: the result must not be readable as it is, and must be decryptable later. */
const keyFile = join(ownFolder, 'stand-in-key-store');

/** Like Chromium on Linux and macOS (os_crypt): a changed byte is not detected. */
const algorithm = 'aes-128-cbc';
const start = Buffer.alloc(16, ' ');

/** Chromium's prefix identifies the kind of key. */
const tag = settings.platform === 'linux' && settings.keyStore !== 'fixed_key' ? 'v11' : 'v10';

const busy = (name: string) => new Error(`safeStorage.${name} is temporarily unavailable. Please try again.`);

export const safeStorage = {
  // Always true, whatever the store's state: it only says that Chromium's own part is ready.
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
    const cipher = createCipheriv(algorithm, sealingKey(), start);
    return Buffer.concat([Buffer.from(tag), cipher.update(text, 'utf8'), cipher.final()]);
  },
  async decryptStringAsync(bytes) {
    mustBeReady('safeStorage cannot be used before app is ready');
    if (settings.keyStore === 'locked') throw busy('decryptStringAsync');
    if (bytes.toString('latin1', 0, 3) !== tag || settings.keyStore === 'foreign') {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.');
    }
    const cipher = createDecipheriv(algorithm, sealingKey(), start);
    const text = Buffer.concat([cipher.update(bytes.subarray(3)), cipher.final()]).toString('utf8');
    return { result: text, shouldReEncrypt: false };
  },
} satisfies Pick<
  SafeStorage,
  'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend' | 'isAsyncEncryptionAvailable'
>;

function sealingKey(): Buffer {
  if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(16), { mode: 0o600 });
  return readFileSync(keyFile);
}
