import type { SafeStorage } from 'electron';
import { z } from 'zod';
import type { LogFile } from '../server/log-file.ts';
import { ignoreRejection, type JsonFile } from './json-file.ts';

/**
 * The instances' keys, encrypted with the operating system's key store. Each belongs to one binding: the exact origin
 * of a remote instance, or the id of the local one (see `bindingOf` in instances.ts). Keys can only be looked up by
 * binding, so one instance's key is never sent to another (T-30).
 */
export interface Secrets {
  has(binding: string): boolean;
  find(binding: string): Promise<string | undefined>;
  /**
   * Why the last lookup failed to decrypt a key: the key store was locked or access was denied (`locked`), or the key
   * was encrypted by another user, another machine or a store since reset (`foreign`). The stored key is kept until it
   * is replaced.
   */
  whyClosed(binding: string): 'foreign' | 'locked' | undefined;
  keep(binding: string, key: string): Promise<void>;
  forget(binding: string): void;
}

type KeyStore = Pick<
  SafeStorage,
  'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend' | 'isAsyncEncryptionAvailable'
>;

interface SecretStoreOptions {
  keyStore: KeyStore;
  platform: NodeJS.Platform;
  file: JsonFile<StoredSecrets>;
  log: LogFile;
}

/** `sealed` is the encrypted key in base64; `plain` is for systems without a key store. */
export const storedSecrets = z.record(
  z.string(),
  // Strict: an entry with other properties was written by a newer version and may mean something else.
  z.union([
    z.strictObject({ sealed: z.base64() }),
    // A key with other characters could not be sent in a header and would look like an unreachable server.
    z.strictObject({ plain: z.string().regex(/^[\x21-\x7e]{1,4096}$/) }),
  ]),
);
export type StoredSecrets = z.output<typeof storedSecrets>;

/**
 * Whether decrypted text can be a key: on Linux and macOS Chromium uses AES-CBC, which also "decrypts" damaged data.
 */
const isKey = (text: string) => /^[\x20-\x7e]{1,4096}$/.test(text);

/** Creates the key storage. `keyStore` may only be used after the app is ready. */
export function secretStore({ keyStore, platform, file, log }: SecretStoreOptions): Secrets {
  /** Decrypted keys. The key store can be slow and may show a dialog, so each key is decrypted only once. */
  const opened = new Map<string, string>();
  /** Keys that the last lookup could not decrypt, and why. */
  const closed = new Map<string, 'foreign' | 'locked'>();
  let seals: Promise<boolean> | undefined;

  function canSeal(): Promise<boolean> {
    seals ??= findKeyStore().then((found) => {
      if (found === 'none')
        log.note('this system has no key store: keys are in a file that only its owner can read');
      // A store that was only locked is asked again next time.
      if (found === 'busy') seals = undefined;
      return found === 'good';
    });
    return seals;
  }

  async function findKeyStore(): Promise<'busy' | 'good' | 'none'> {
    // Chromium's `basic_text` backend encrypts with a well-known password; storing keys openly as plain text is more
    // honest.
    if (platform === 'linux' && keyStore.getSelectedStorageBackend() === 'basic_text') return 'none';
    try {
      if (!(await keyStore.isAsyncEncryptionAvailable())) return 'none';
      // So far the backend was chosen by the name of the desktop. If no key store responds, Chromium silently falls
      // back to the well-known password, which only the ciphertext's prefix reveals (os_crypt, PosixKeyProvider).
      const trial = platform === 'linux' ? await keyStore.encryptStringAsync('trial') : undefined;
      return trial?.toString('latin1', 0, 3) === 'v10' ? 'none' : 'good';
    } catch (error) {
      // Access was denied or the store is broken: treat it as absent.
      return isBusy(error) ? 'busy' : 'none';
    }
  }

  function write(binding: string, stored: StoredSecrets[string] | undefined): void {
    const { [binding]: _replaced, ...others } = file.read();
    ignoreRejection(
      () => file.write(stored ? { ...others, [binding]: stored } : others),
      (why) => log.note('a key is only kept until the app exits', { why }),
    );
  }

  async function seal(key: string): Promise<StoredSecrets[string]> {
    if (!(await canSeal())) return { plain: key };
    try {
      return { sealed: (await keyStore.encryptStringAsync(key)).toString('base64') };
    } catch (error) {
      log.note('the key store did not take a key: it is in a file that only its owner can read', {
        why: error instanceof Error ? error.message : 'unknown',
      });
      return { plain: key };
    }
  }

  async function keep(binding: string, key: string): Promise<void> {
    opened.set(binding, key);
    closed.delete(binding);
    const stored = await seal(key);
    // The key may have been replaced or deleted while the store was working.
    if (opened.get(binding) === key) write(binding, stored);
  }

  const isKept = (binding: string) => Object.hasOwn(file.read(), binding);

  async function open(binding: string, stored: StoredSecrets[string]): Promise<string | undefined> {
    if ('plain' in stored) {
      // A key store has appeared since the key was kept: seal it now, unless it was forgotten meanwhile.
      if ((await canSeal()) && isKept(binding)) await keep(binding, stored.plain);
      return stored.plain;
    }
    try {
      const { result, shouldReEncrypt } = await keyStore.decryptStringAsync(
        Buffer.from(stored.sealed, 'base64'),
      );
      if (!isKey(result)) throw new Error('what was sealed is damaged');
      closed.delete(binding);
      if (shouldReEncrypt && isKept(binding)) await keep(binding, result);
      return result;
    } catch (error) {
      // Keep the key: the keyring may be unlocked later, or the user may grant access next time.
      const why = isBusy(error) ? 'locked' : 'foreign';
      if (closed.get(binding) !== why) {
        log.note(
          why === 'locked'
            ? 'the key store is locked or was refused; a kept key waits for it'
            : 'a kept key cannot be opened; a new sign-in is needed',
        );
      }
      closed.set(binding, why);
      return undefined;
    }
  }

  return {
    has: (binding) => opened.has(binding) || isKept(binding),
    async find(binding) {
      const known = opened.get(binding);
      if (known !== undefined) return known;
      // The result would be the same, and the store may show a dialog each time.
      if (closed.get(binding) === 'foreign') return undefined;
      const stored = isKept(binding) ? file.read()[binding] : undefined;
      const key = stored && (await open(binding, stored));
      if (key !== undefined && isKept(binding)) opened.set(binding, key);
      return key;
    },
    whyClosed: (binding) => closed.get(binding),
    keep,
    forget(binding) {
      opened.delete(binding);
      closed.delete(binding);
      if (isKept(binding)) write(binding, undefined);
    },
  };
}

/** Electron reports this only in the message (electron_api_safe_storage.cc). */
function isBusy(error: unknown): boolean {
  return error instanceof Error && /temporarily unavailable/.test(error.message);
}
