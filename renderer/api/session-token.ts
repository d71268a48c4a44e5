/** Session tokens in the browser, one per instance. The desktop app keeps keys in its main process. */
export interface SessionTokens {
  read(instanceId: string): string | undefined;
  write(instanceId: string, token: string): void;
  forget(instanceId: string): void;
}

/** Storage key for data of one instance. */
export function storageKey(instanceId: string, name: string): string {
  return `waypost:${instanceId}:${name}`;
}

/** Session tokens in `storage`; they survive closing the tab, and signing out revokes them. */
export function storedTokens(storage: Storage): SessionTokens {
  return {
    read: (instanceId) => storage.getItem(storageKey(instanceId, 'token')) ?? undefined,
    write: (instanceId, token) => storage.setItem(storageKey(instanceId, 'token'), token),
    forget: (instanceId) => storage.removeItem(storageKey(instanceId, 'token')),
  };
}
