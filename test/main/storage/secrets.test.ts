import { describe, expect, test } from 'vitest';
import { type StoredSecrets, secretStore } from '../../../main/storage/secrets.ts';
import { memoryFile, memoryLog } from '../../support/desktop-parts.ts';

const binding = 'https://links.example';

describe('the keys of the instances', () => {
  test('are sealed on disk and can be opened after a start', async () => {
    const { file, secrets, keyStore } = someSecrets();
    await secrets.keep(binding, 'the key');
    expect(JSON.stringify(file.read())).not.toContain('the key');
    const later = secretStore({ keyStore, platform: 'linux', file, log: memoryLog() });
    expect(later.has(binding)).toBe(true);
    expect(await later.find(binding)).toBe('the key');
  });

  test('are asked of the key store once', async () => {
    const { secrets, file, keyStore } = someSecrets();
    await secrets.keep(binding, 'the key');
    const later = secretStore({ keyStore, platform: 'linux', file, log: memoryLog() });
    await later.find(binding);
    await later.find(binding);
    expect(keyStore.opened).toBe(1);
  });

  test('stay with the exact origin that they were given for', async () => {
    const { secrets } = someSecrets();
    await secrets.keep(binding, 'the key');
    for (const other of [
      'http://links.example',
      'https://links.example:444',
      'https://a.links.example',
      'local:1',
    ]) {
      expect(await secrets.find(other)).toBeUndefined();
      expect(secrets.has(other)).toBe(false);
    }
  });

  test.each(['__proto__', 'constructor', 'toString'])('have no key for %s', async (odd) => {
    const { secrets } = someSecrets();
    expect(secrets.has(odd)).toBe(false);
    expect(await secrets.find(odd)).toBeUndefined();
  });

  test('are gone when they are forgotten', async () => {
    const { secrets, file } = someSecrets();
    await secrets.keep(binding, 'the key');
    secrets.forget(binding);
    expect(await secrets.find(binding)).toBeUndefined();
    expect(file.read()).toEqual({});
  });

  test('stay forgotten when that happens while they are being sealed', async () => {
    const { secrets, file } = someSecrets();
    const kept = secrets.keep(binding, 'the key');
    secrets.forget(binding);
    await kept;
    expect(file.read()).toEqual({});
  });

  test('are in a plain file where the system has no key store, and the log says so once', async () => {
    const { secrets, file, log } = someSecrets({ backend: 'basic_text' });
    await secrets.keep(binding, 'the key');
    await secrets.keep('https://other.example', 'another');
    expect(file.read()).toEqual({
      [binding]: { plain: 'the key' },
      'https://other.example': { plain: 'another' },
    });
    expect(log.lines).toEqual([expect.stringContaining('no key store')]);
  });

  test('are in a plain file when access to the key store is refused', async () => {
    const { secrets, file } = someSecrets({ available: false });
    await secrets.keep(binding, 'the key');
    expect(file.read()).toEqual({ [binding]: { plain: 'the key' } });
  });

  test('are sealed as soon as there is a key store', async () => {
    const { secrets, file } = someSecrets({ stored: { [binding]: { plain: 'the key' } } });
    expect(await secrets.find(binding)).toBe('the key');
    expect(file.read()[binding]).toHaveProperty('sealed');
  });

  test('are asked for anew when they can no longer be opened, and stay until another takes their place', async () => {
    const { secrets, file, log } = someSecrets({ stored: { [binding]: { sealed: 'AAAA' } } });
    expect(secrets.has(binding)).toBe(true);
    expect(secrets.whyClosed(binding)).toBe(undefined);
    expect(await secrets.find(binding)).toBeUndefined();
    expect([secrets.has(binding), secrets.whyClosed(binding)]).toEqual([true, 'foreign']);
    expect(await secrets.find(binding)).toBeUndefined();
    expect(file.read()).toEqual({ [binding]: { sealed: 'AAAA' } });
    expect(log.lines).toEqual([expect.stringContaining('new sign-in')]);
    await secrets.keep(binding, 'the next key');
    expect([secrets.has(binding), secrets.whyClosed(binding)]).toEqual([true, undefined]);
    expect(await secrets.find(binding)).toBe('the next key');
  });

  test('that are damaged in a way that the key store does not notice are never sent', async () => {
    const sealed = Buffer.from('v110\u0000ey eht').toString('base64');
    const { secrets, file } = someSecrets({ stored: { [binding]: { sealed } } });
    expect(await secrets.find(binding)).toBeUndefined();
    expect(secrets.whyClosed(binding)).toBe('foreign');
    expect(file.read()).toEqual({ [binding]: { sealed } });
  });

  test('wait for a key store that is locked, and are there once it opens', async () => {
    const { secrets, file, keyStore } = someSecrets();
    await secrets.keep(binding, 'the key');
    const before = file.read();
    keyStore.isLocked = true;
    const later = secretStore({ keyStore, platform: 'linux', file, log: memoryLog() });
    expect(await later.find(binding)).toBeUndefined();
    expect([later.has(binding), later.whyClosed(binding)]).toEqual([true, 'locked']);
    expect(file.read()).toEqual(before);
    keyStore.isLocked = false;
    expect(await later.find(binding)).toBe('the key');
    expect(later.whyClosed(binding)).toBeUndefined();
  });

  test('of a sign-in while the key store is locked are sealed as soon as it opens', async () => {
    const { file, keyStore } = someSecrets();
    keyStore.isLocked = true;
    const early = secretStore({ keyStore, platform: 'linux', file, log: memoryLog() });
    await early.keep(binding, 'the key');
    expect(await early.find(binding)).toBe('the key');
    keyStore.isLocked = false;
    const later = secretStore({ keyStore, platform: 'linux', file, log: memoryLog() });
    expect(await later.find(binding)).toBe('the key');
    expect(file.read()[binding]).toHaveProperty('sealed');
  });

  test('are not called sealed where Linux seals with a password that everyone knows', async () => {
    const { file, keyStore, log } = someSecrets({ tag: 'v10' });
    const secrets = secretStore({ keyStore, platform: 'linux', file, log });
    await secrets.keep(binding, 'the key');
    expect(file.read()).toEqual({ [binding]: { plain: 'the key' } });
    expect(log.lines).toEqual([expect.stringContaining('no key store')]);
  });

  test('are sealed on macOS and Windows, whose own mark is the same', async () => {
    for (const platform of ['darwin', 'win32'] as const) {
      const { file, keyStore } = someSecrets({ tag: 'v10' });
      await secretStore({ keyStore, platform, file, log: memoryLog() }).keep(binding, 'the key');
      expect(file.read()[binding]).toHaveProperty('sealed');
    }
  });

  test('are sealed anew when the key store asks for it', async () => {
    const { secrets, file, keyStore } = someSecrets();
    await secrets.keep(binding, 'the key');
    keyStore.wantsAnew = true;
    const before = file.read()[binding];
    const later = secretStore({ keyStore, platform: 'linux', file, log: memoryLog() });
    expect(await later.find(binding)).toBe('the key');
    expect(file.read()[binding]).not.toEqual(before);
  });

  test('are never in the log', async () => {
    for (const backend of ['gnome_libsecret', 'basic_text'] as const) {
      const { secrets, log } = someSecrets({ backend });
      await secrets.keep(binding, 'the key');
      await secrets.find(binding);
      expect(log.lines.join()).not.toContain('the key');
    }
  });
});

interface Circumstances {
  backend?: 'gnome_libsecret' | 'basic_text';
  available?: boolean;
  /** What the store writes in front of what it has sealed. */
  tag?: string;
  stored?: StoredSecrets;
}

function someSecrets(circumstances: Circumstances = {}) {
  const { backend = 'gnome_libsecret', available = true, tag = 'v11', stored = {} } = circumstances;
  const locked = (name: string) =>
    new Error(`safeStorage.${name} is temporarily unavailable. Please try again.`);
  let sealings = 0;
  const keyStore = {
    opened: 0,
    wantsAnew: false,
    isLocked: false,
    getSelectedStorageBackend: () => backend,
    isAsyncEncryptionAvailable: async () => available,
    async encryptStringAsync(text: string) {
      if (keyStore.isLocked) throw locked('encryptStringAsync');
      return Buffer.from(`${tag}${++sealings % 10}${[...text].reverse().join('')}`);
    },
    async decryptStringAsync(bytes: Buffer) {
      keyStore.opened++;
      if (keyStore.isLocked) throw locked('decryptStringAsync');
      const text = bytes.toString();
      if (!/^v1\d/.test(text)) throw new Error('it was sealed by somebody else');
      return { result: [...text.slice(4)].reverse().join(''), shouldReEncrypt: keyStore.wantsAnew };
    },
  };
  const file = memoryFile(stored);
  const log = memoryLog();
  return { keyStore, file, log, secrets: secretStore({ keyStore, platform: 'linux', file, log }) };
}
