import type { SafeStorage } from 'electron';
import { z } from 'zod';
import type { JsonFile } from './json-file.ts';
import type { LogFile } from './log-file.ts';

/**
 * The keys of the instances, sealed with the operating system's key store. Each belongs to one binding: the exact
 * origin of a remote instance, or the id of the local one (see `bindingOf` in instances.ts). There is no way to ask
 * for a key but by its binding, so the key of one is never sent to another (security.md, T-30).
 */
export interface Secrets {
  has(binding: string): boolean;
  find(binding: string): Promise<string | undefined>;
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
  z.union([z.object({ sealed: z.base64() }), z.object({ plain: z.string() })]),
);
export type StoredSecrets = z.output<typeof storedSecrets>;

/** `keyStore` may be used only after the app is ready. */
export function secretStore({ keyStore, platform, file, log }: SecretStoreOptions): Secrets {
  /** Asking the key store can be slow and can show a dialog, so each key is opened once. */
  const opened = new Map<string, string>();
  let seals: Promise<boolean> | undefined;

  function canSeal(): Promise<boolean> {
    seals ??= findKeyStore().then((found) => {
      if (!found) log.note('this system has no key store: keys are in a file that only its owner can read');
      return found;
    });
    return seals;
  }

  async function findKeyStore(): Promise<boolean> {
    // Chromium's `basic_text` "seals" with a password that everyone knows: worse than saying that we do not seal.
    if (platform === 'linux' && keyStore.getSelectedStorageBackend() === 'basic_text') return false;
    try {
      return await keyStore.isAsyncEncryptionAvailable();
    } catch {
      // The person refused access, or the store is broken: the same as none.
      return false;
    }
  }

  function write(binding: string, stored: StoredSecrets[string] | undefined): void {
    const { [binding]: _replaced, ...others } = file.read();
    file.write(stored ? { ...others, [binding]: stored } : others);
  }

  async function keep(binding: string, key: string): Promise<void> {
    opened.set(binding, key);
    const stored = (await canSeal())
      ? { sealed: (await keyStore.encryptStringAsync(key)).toString('base64') }
      : { plain: key };
    // The key may have been replaced or forgotten while the store was thinking.
    if (opened.get(binding) === key) write(binding, stored);
  }

  async function open(binding: string, stored: StoredSecrets[string]): Promise<string | undefined> {
    if ('plain' in stored) {
      // A key store has appeared since the key was kept: seal it now.
      if (await canSeal()) await keep(binding, stored.plain);
      return stored.plain;
    }
    try {
      const { result, shouldReEncrypt } = await keyStore.decryptStringAsync(
        Buffer.from(stored.sealed, 'base64'),
      );
      if (shouldReEncrypt) await keep(binding, result);
      return result;
    } catch {
      // Sealed by another user, another machine or a store that was reset: it can never be opened here.
      log.note('a kept key can no longer be opened; a new sign-in is needed');
      write(binding, undefined);
      return undefined;
    }
  }

  return {
    has: (binding) => opened.has(binding) || Object.hasOwn(file.read(), binding),
    async find(binding) {
      const known = opened.get(binding);
      if (known !== undefined) return known;
      const stored = Object.hasOwn(file.read(), binding) ? file.read()[binding] : undefined;
      const key = stored && (await open(binding, stored));
      if (key !== undefined && Object.hasOwn(file.read(), binding)) opened.set(binding, key);
      return key;
    },
    keep,
    forget(binding) {
      opened.delete(binding);
      if (Object.hasOwn(file.read(), binding)) write(binding, undefined);
    },
  };
}
