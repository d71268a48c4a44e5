import type { SafeStorage } from 'electron';
import { z } from 'zod';
import type { LogFile } from '../server/log-file.ts';
import { ignoreRejection, type JsonFile } from './json-file.ts';

/**
 * The keys of the instances, sealed with the operating system's key store. Each belongs to one binding: the exact
 * origin of a remote instance, or the id of the local one (see `bindingOf` in instances.ts). There is no way to ask
 * for a key but by its binding, so the key of one is never sent to another (T-30).
 */
export interface Secrets {
  has(binding: string): boolean;
  find(binding: string): Promise<string | undefined>;
  /**
   * Why the last look for a key did not open it: the key store was locked or refused (`locked`), or the key was sealed
   * by another user, another machine or a store that was reset (`foreign`). Either stays until another takes its place.
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

/** `sealed` is base64 of what the key store made; `plain` is for systems that have none. */
export const storedSecrets = z.record(
  z.string(),
  // With more in it, it is of a newer version, which may mean something else by the rest.
  z.union([
    z.strictObject({ sealed: z.base64() }),
    // Anything else in a key could not be sent, and would look like a server that does not answer.
    z.strictObject({ plain: z.string().regex(/^[\x21-\x7e]{1,4096}$/) }),
  ]),
);
export type StoredSecrets = z.output<typeof storedSecrets>;

/**
 * What a key store opens is no key where it has anything else in it: on Linux and macOS Chromium seals by AES in CBC,
 * which opens what is damaged, too.
 */
const isKey = (text: string) => /^[\x20-\x7e]{1,4096}$/.test(text);

/** `keyStore` may be used only after the app is ready. */
export function secretStore({ keyStore, platform, file, log }: SecretStoreOptions): Secrets {
  /** Asking the key store can be slow and can show a dialog, so each key is opened once. */
  const opened = new Map<string, string>();
  /** What the last look for a key could not open, and why. */
  const closed = new Map<string, 'foreign' | 'locked'>();
  let seals: Promise<boolean> | undefined;

  function canSeal(): Promise<boolean> {
    seals ??= findKeyStore().then((found) => {
      if (found === 'none')
        log.note('this system has no key store: keys are in a file that only its owner can read');
      // A store that was only locked is asked again the next time.
      if (found === 'busy') seals = undefined;
      return found === 'good';
    });
    return seals;
  }

  async function findKeyStore(): Promise<'busy' | 'good' | 'none'> {
    // Chromium's `basic_text` "seals" with a password that everyone knows: worse than saying that we do not seal.
    if (platform === 'linux' && keyStore.getSelectedStorageBackend() === 'basic_text') return 'none';
    try {
      if (!(await keyStore.isAsyncEncryptionAvailable())) return 'none';
      // The answers so far go by the name of the desktop. Where nobody answers behind it, Chromium falls back to the
      // same password in silence, and only what it writes tells (os_crypt, PosixKeyProvider).
      const trial = platform === 'linux' ? await keyStore.encryptStringAsync('trial') : undefined;
      return trial?.toString('latin1', 0, 3) === 'v10' ? 'none' : 'good';
    } catch (error) {
      // The person refused access, or the store is broken: the same as none.
      return isBusy(error) ? 'busy' : 'none';
    }
  }

  function write(binding: string, stored: StoredSecrets[string] | undefined): void {
    const { [binding]: _replaced, ...others } = file.read();
    ignoreRejection(
      () => file.write(stored ? { ...others, [binding]: stored } : others),
      (why) => log.note('a key is kept only until the app ends', { why }),
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
    // The key may have been replaced or forgotten while the store was thinking.
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
      // Nothing is thrown away for it: a keyring opens later, and a person who has refused may allow it the next time.
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
      // The store would say the same again, and may show the person a dialog for it each time.
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

/** Electron says it in words only (electron_api_safe_storage.cc). */
function isBusy(error: unknown): boolean {
  return error instanceof Error && /temporarily unavailable/.test(error.message);
}
